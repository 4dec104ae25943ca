-- The ledger's tables. Text is compared and sorted by bytes. JSON is held as text, times as milliseconds since 1970
-- in UTC. Lengths are checked by the library, in code points. There are no foreign keys: a child may be written
-- before its session.

create table chronos_sessions (
  tenant_id text not null,
  id text not null,
  agent_id text not null,
  status text not null,
  metadata text,
  created_at integer not null,
  updated_at integer not null,
  primary key (tenant_id, id)
) strict;
create index chronos_sessions_by_agent on chronos_sessions (tenant_id, agent_id, created_at, id);
create index chronos_sessions_by_time on chronos_sessions (tenant_id, created_at, id);

create table chronos_memory (
  tenant_id text not null,
  id text not null,
  session_id text,
  agent_id text not null,
  user_id text,
  kind text not null,
  "key" text not null,
  "value" text not null,
  created_at integer not null,
  primary key (tenant_id, id)
) strict;
create index chronos_memory_by_key on chronos_memory (tenant_id, agent_id, "key", created_at, id);
create index chronos_memory_by_kind on chronos_memory (tenant_id, agent_id, kind, created_at, id);
create index chronos_memory_by_agent on chronos_memory (tenant_id, agent_id, created_at, id);
create index chronos_memory_by_session on chronos_memory (tenant_id, session_id, id);

create table chronos_audit_logs (
  tenant_id text not null,
  id text not null,
  session_id text not null,
  actor text not null,
  action text not null,
  resource text not null,
  detail text,
  created_at integer not null,
  primary key (tenant_id, id)
) strict;
create index chronos_audit_logs_by_session on chronos_audit_logs (tenant_id, session_id, created_at, id);
create index chronos_audit_logs_by_time on chronos_audit_logs (tenant_id, created_at, id);

create table chronos_traces (
  tenant_id text not null,
  id text not null,
  session_id text not null,
  parent_id text,
  name text not null,
  kind text not null,
  input text,
  output text,
  error text,
  started_at integer not null,
  ended_at integer,
  primary key (tenant_id, id)
) strict;
create index chronos_traces_by_session on chronos_traces (tenant_id, session_id, started_at, id);
create index chronos_traces_by_time on chronos_traces (tenant_id, started_at, id);

create table chronos_events (
  tenant_id text not null,
  id text not null,
  session_id text not null,
  seq_num integer not null,
  type text not null,
  payload text not null,
  created_at integer not null,
  primary key (tenant_id, id)
) strict;
create index chronos_events_by_place on chronos_events (tenant_id, session_id, seq_num, id);
create index chronos_events_by_time on chronos_events (tenant_id, created_at, id);

create table chronos_checkpoints (
  tenant_id text not null,
  id text not null,
  session_id text not null,
  run_id text not null,
  node_id text not null,
  state text not null,
  seq_num integer not null,
  created_at integer not null,
  primary key (tenant_id, id)
) strict;
create unique index chronos_checkpoints_by_place on chronos_checkpoints (tenant_id, session_id, seq_num);
