-- The ledger's tables. Text is compared and sorted by bytes (collate "C"), whatever the database's locale.
-- JSON columns are json, not jsonb: values come back as they were written. Lengths are checked by the library,
-- in code points, before anything is sent. There are no foreign keys: a child may be written before its session.

create table {{schema}}.chronos_sessions (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  agent_id text collate "C" not null,
  status text collate "C" not null,
  metadata json,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  constraint chronos_sessions_pkey primary key (tenant_id, id)
);
create index chronos_sessions_by_agent on {{schema}}.chronos_sessions (tenant_id, agent_id, created_at, id);
create index chronos_sessions_by_time on {{schema}}.chronos_sessions (tenant_id, created_at, id);

create table {{schema}}.chronos_memory (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  session_id text collate "C",
  agent_id text collate "C" not null,
  user_id text collate "C",
  kind text collate "C" not null,
  "key" text collate "C" not null,
  "value" json not null,
  created_at timestamptz(3) not null,
  constraint chronos_memory_pkey primary key (tenant_id, id)
);
create index chronos_memory_by_key on {{schema}}.chronos_memory (tenant_id, agent_id, "key", created_at, id);
create index chronos_memory_by_kind on {{schema}}.chronos_memory (tenant_id, agent_id, kind, created_at, id);
create index chronos_memory_by_agent on {{schema}}.chronos_memory (tenant_id, agent_id, created_at, id);
create index chronos_memory_by_session on {{schema}}.chronos_memory (tenant_id, session_id, id);

create table {{schema}}.chronos_audit_logs (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  session_id text collate "C" not null,
  actor text collate "C" not null,
  action text collate "C" not null,
  resource text collate "C" not null,
  detail json,
  created_at timestamptz(3) not null,
  constraint chronos_audit_logs_pkey primary key (tenant_id, id)
);
create index chronos_audit_logs_by_session on {{schema}}.chronos_audit_logs (tenant_id, session_id, created_at, id);
create index chronos_audit_logs_by_time on {{schema}}.chronos_audit_logs (tenant_id, created_at, id);

create table {{schema}}.chronos_traces (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  session_id text collate "C" not null,
  parent_id text collate "C",
  name text collate "C" not null,
  kind text collate "C" not null,
  input json,
  output json,
  error json,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  constraint chronos_traces_pkey primary key (tenant_id, id)
);
create index chronos_traces_by_session on {{schema}}.chronos_traces (tenant_id, session_id, started_at, id);
create index chronos_traces_by_time on {{schema}}.chronos_traces (tenant_id, started_at, id);

create table {{schema}}.chronos_events (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  session_id text collate "C" not null,
  seq_num bigint not null,
  type text collate "C" not null,
  payload json not null,
  created_at timestamptz(3) not null,
  constraint chronos_events_pkey primary key (tenant_id, id)
);
create index chronos_events_by_place on {{schema}}.chronos_events (tenant_id, session_id, seq_num, id);
create index chronos_events_by_time on {{schema}}.chronos_events (tenant_id, created_at, id);

create table {{schema}}.chronos_checkpoints (
  tenant_id text collate "C" not null,
  id text collate "C" not null,
  session_id text collate "C" not null,
  run_id text collate "C" not null,
  node_id text collate "C" not null,
  state json not null,
  seq_num bigint not null,
  created_at timestamptz(3) not null,
  constraint chronos_checkpoints_pkey primary key (tenant_id, id),
  constraint chronos_checkpoints_by_place unique (tenant_id, session_id, seq_num)
);

-- Row-level security binds every role but the tables' owner: a session that names no tenant sees nothing.

alter table {{schema}}.chronos_sessions enable row level security;
create policy chronos_tenant on {{schema}}.chronos_sessions
  using (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''));

alter table {{schema}}.chronos_memory enable row level security;
create policy chronos_tenant on {{schema}}.chronos_memory
  using (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''));

alter table {{schema}}.chronos_audit_logs enable row level security;
create policy chronos_tenant on {{schema}}.chronos_audit_logs
  using (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''));

alter table {{schema}}.chronos_traces enable row level security;
create policy chronos_tenant on {{schema}}.chronos_traces
  using (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''));

alter table {{schema}}.chronos_events enable row level security;
create policy chronos_tenant on {{schema}}.chronos_events
  using (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''));

alter table {{schema}}.chronos_checkpoints enable row level security;
create policy chronos_tenant on {{schema}}.chronos_checkpoints
  using (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''));
