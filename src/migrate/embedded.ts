// Written by `npm run generate` from migrations/; do not edit.
import type { Language } from '../sql/dialect-name.ts';

/** Version of the package, as the log names it. */
export const TOOL_VERSION: string = '0.1.0';

/** Language → file name → text of the built-in migrations. */
export const EMBEDDED: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  postgres: {
    '0001_ledger.down.sql': `drop table {{schema}}.chronos_checkpoints;
drop table {{schema}}.chronos_events;
drop table {{schema}}.chronos_traces;
drop table {{schema}}.chronos_audit_logs;
drop table {{schema}}.chronos_memory;
drop table {{schema}}.chronos_sessions;
`,
    '0001_ledger.up.sql': `-- The ledger's tables. Text is compared and sorted by bytes (collate "C"), whatever the database's locale.
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
`,
    '0002_open_runs.down.sql': `drop index {{schema}}.chronos_sessions_by_update;
drop index {{schema}}.chronos_sessions_by_status;
drop index {{schema}}.chronos_sessions_by_agent_status;
drop function {{schema}}.chronos_append_event(text, text, text, text, json, timestamptz);
drop table {{schema}}.chronos_event_heads;
`,
    '0002_open_runs.up.sql': `-- What a service needs to find and continue the runs that a crash left open: the last place given out in each
-- session, and the sessions by status and by last change.

create table {{schema}}.chronos_event_heads (
  tenant_id text collate "C" not null,
  session_id text collate "C" not null,
  head bigint not null,
  constraint chronos_event_heads_pkey primary key (tenant_id, session_id)
);

alter table {{schema}}.chronos_event_heads enable row level security;
create policy chronos_tenant on {{schema}}.chronos_event_heads
  using (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''))
  with check (tenant_id = nullif(current_setting('chronos.tenant_id', true), ''));

create index chronos_sessions_by_agent_status on {{schema}}.chronos_sessions (tenant_id, agent_id, status, created_at, id);
create index chronos_sessions_by_status on {{schema}}.chronos_sessions (tenant_id, status, created_at, id);
create index chronos_sessions_by_update on {{schema}}.chronos_sessions (tenant_id, updated_at, id);

-- Stores an event at the next place of its session, in one round trip: the head stays locked until the transaction
-- ends, and a repeat of a stored id takes no place. inserted is 1 or 0; seq_num the stored place, NULL when a new
-- one would be beyond 2^53 - 1; no row when the stored event was deleted meanwhile.
create function {{schema}}.chronos_append_event(
  tenant text, session text, event text, event_type text, event_payload json, event_time timestamptz
) returns table (inserted integer, seq_num bigint) language plpgsql as $$
declare
  place bigint;
  is_new boolean := false;
begin
  loop
    update {{schema}}.chronos_event_heads as h set head = h.head + 1
      where h.tenant_id = tenant and h.session_id = session returning h.head into place;
    exit when found;
    insert into {{schema}}.chronos_event_heads (tenant_id, session_id, head)
      values (tenant, session, greatest(0, (
        select e.seq_num from {{schema}}.chronos_events as e
          where e.tenant_id = tenant and e.session_id = session order by e.seq_num desc, e.id desc limit 1
      )))
      on conflict do nothing;
    is_new := is_new or found;
  end loop;
  if place <= 9007199254740991 then
    insert into {{schema}}.chronos_events (tenant_id, id, session_id, seq_num, type, payload, created_at)
      values (tenant, event, session, place, event_type, event_payload, event_time)
      on conflict do nothing;
    if found then
      return query select 1, place;
      return;
    end if;
  end if;
  if is_new then
    delete from {{schema}}.chronos_event_heads as h where h.tenant_id = tenant and h.session_id = session;
  else
    update {{schema}}.chronos_event_heads as h set head = place - 1
      where h.tenant_id = tenant and h.session_id = session;
  end if;
  if place > 9007199254740991 then
    return query select 0, (select e.seq_num from {{schema}}.chronos_events as e
      where e.tenant_id = tenant and e.id = event);
  else
    return query select 0, e.seq_num from {{schema}}.chronos_events as e
      where e.tenant_id = tenant and e.id = event;
  end if;
end
$$;
`,
    '0003_vectors.down.sql': `-- Refused while there are collections: their tables would stay behind. dropCollection comes first.
alter table {{schema}}.chronos_vector_collections add column collections_are_left integer not null;
drop table {{schema}}.chronos_vector_collections;
`,
    '0003_vectors.up.sql': `-- The collections of vectors. The table of a collection is chronos_vectors_<number>, made with the collection by the
-- library; a number is never given twice, so that nobody who knew a dropped collection meets another one. Collections
-- belong to the operator, their rows to tenants: every role that was granted it reads this table, only its owner
-- writes it.

create table {{schema}}.chronos_vector_collections (
  number bigint generated always as identity,
  name text collate "C" not null,
  dimension integer not null,
  metric text collate "C" not null,
  element_type text collate "C" not null,
  index_kind text collate "C" not null,
  m integer not null,
  ef_construction integer not null,
  created_at timestamptz(3) not null,
  constraint chronos_vector_collections_pkey primary key (number),
  constraint chronos_vector_collections_by_name unique (name)
);

alter table {{schema}}.chronos_vector_collections enable row level security;
create policy chronos_collections on {{schema}}.chronos_vector_collections for select using (true);
`,
  },
  mysql: {
    '0001_ledger.down.sql': `drop table if exists chronos_checkpoints;
drop table if exists chronos_events;
drop table if exists chronos_traces;
drop table if exists chronos_audit_logs;
drop table if exists chronos_memory;
drop table if exists chronos_sessions;
`,
    '0001_ledger.up.sql': `-- The ledger's tables. Text is compared and sorted by bytes, trailing spaces included. JSON is
-- held as text, so values come back as they were written. There are no foreign keys: a child may be written before
-- its session. The server commits each statement by itself; every one may be run again after a kill.

create table if not exists chronos_sessions (
  tenant_id varchar(128) not null,
  id varchar(255) not null,
  agent_id varchar(128) not null,
  status varchar(64) not null,
  metadata longtext,
  created_at datetime(3) not null,
  updated_at datetime(3) not null,
  primary key (tenant_id, id),
  key chronos_sessions_by_agent (tenant_id, agent_id, created_at, id),
  key chronos_sessions_by_time (tenant_id, created_at, id)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate {{bin_collation}};

create table if not exists chronos_memory (
  tenant_id varchar(128) not null,
  id varchar(255) not null,
  session_id varchar(255),
  agent_id varchar(128) not null,
  user_id varchar(255),
  kind varchar(64) not null,
  \`key\` varchar(128) not null,
  \`value\` longtext not null,
  created_at datetime(3) not null,
  primary key (tenant_id, id),
  key chronos_memory_by_key (tenant_id, agent_id, \`key\`, created_at, id),
  key chronos_memory_by_kind (tenant_id, agent_id, kind, created_at, id),
  key chronos_memory_by_agent (tenant_id, agent_id, created_at, id),
  key chronos_memory_by_session (tenant_id, session_id, id)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate {{bin_collation}};

create table if not exists chronos_audit_logs (
  tenant_id varchar(128) not null,
  id varchar(255) not null,
  session_id varchar(255) not null,
  actor varchar(255) not null,
  action varchar(255) not null,
  resource varchar(255) not null,
  detail longtext,
  created_at datetime(3) not null,
  primary key (tenant_id, id),
  key chronos_audit_logs_by_session (tenant_id, session_id, created_at, id),
  key chronos_audit_logs_by_time (tenant_id, created_at, id)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate {{bin_collation}};

create table if not exists chronos_traces (
  tenant_id varchar(128) not null,
  id varchar(255) not null,
  session_id varchar(255) not null,
  parent_id varchar(255),
  name varchar(255) not null,
  kind varchar(64) not null,
  input longtext,
  output longtext,
  error longtext,
  started_at datetime(3) not null,
  ended_at datetime(3),
  primary key (tenant_id, id),
  key chronos_traces_by_session (tenant_id, session_id, started_at, id),
  key chronos_traces_by_time (tenant_id, started_at, id)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate {{bin_collation}};

create table if not exists chronos_events (
  tenant_id varchar(128) not null,
  id varchar(255) not null,
  session_id varchar(255) not null,
  seq_num bigint not null,
  type varchar(64) not null,
  payload longtext not null,
  created_at datetime(3) not null,
  primary key (tenant_id, id),
  key chronos_events_by_place (tenant_id, session_id, seq_num, id),
  key chronos_events_by_time (tenant_id, created_at, id)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate {{bin_collation}};

create table if not exists chronos_checkpoints (
  tenant_id varchar(128) not null,
  id varchar(255) not null,
  session_id varchar(255) not null,
  run_id varchar(255) not null,
  node_id varchar(255) not null,
  state longtext not null,
  seq_num bigint not null,
  created_at datetime(3) not null,
  primary key (tenant_id, id),
  unique key chronos_checkpoints_by_place (tenant_id, session_id, seq_num)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate {{bin_collation}};
`,
    '0002_open_runs.down.sql': `set @chronos_ddl = if(
  exists (
    select 1 from information_schema.statistics
    where table_schema = database() and table_name = 'chronos_sessions' and index_name = 'chronos_sessions_by_update'
  ),
  'alter table chronos_sessions
    drop key chronos_sessions_by_update,
    drop key chronos_sessions_by_status,
    drop key chronos_sessions_by_agent_status',
  'do 0'
);
prepare chronos_ddl from @chronos_ddl;
execute chronos_ddl;
deallocate prepare chronos_ddl;

drop table if exists chronos_event_heads;
`,
    '0002_open_runs.up.sql': `-- What a service needs to find and continue the runs that a crash left open: the last place given out in each
-- session, and the sessions by status and by last change. The three indexes come in one ALTER, all or none, so one
-- of them tells whether it was done: MySQL has no ADD INDEX IF NOT EXISTS.

create table if not exists chronos_event_heads (
  tenant_id varchar(128) not null,
  session_id varchar(255) not null,
  head bigint not null,
  primary key (tenant_id, session_id)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate {{bin_collation}};

set @chronos_ddl = if(
  exists (
    select 1 from information_schema.statistics
    where table_schema = database() and table_name = 'chronos_sessions' and index_name = 'chronos_sessions_by_update'
  ),
  'do 0',
  'alter table chronos_sessions
    add key chronos_sessions_by_agent_status (tenant_id, agent_id, status, created_at, id),
    add key chronos_sessions_by_status (tenant_id, status, created_at, id),
    add key chronos_sessions_by_update (tenant_id, updated_at, id)'
);
prepare chronos_ddl from @chronos_ddl;
execute chronos_ddl;
deallocate prepare chronos_ddl;
`,
    '0003_vectors.down.sql': `drop table if exists chronos_vector_collections;
`,
    '0003_vectors.up.sql': `-- The collections of vectors. This engine has no distance function: the table is here so that the schema is one, and
-- stays empty.

create table if not exists chronos_vector_collections (
  number bigint not null auto_increment,
  name varchar(255) not null,
  dimension int not null,
  metric varchar(64) not null,
  element_type varchar(64) not null,
  index_kind varchar(64) not null,
  m int not null,
  ef_construction int not null,
  created_at datetime(3) not null,
  primary key (number),
  unique key chronos_vector_collections_by_name (name)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate {{bin_collation}};
`,
  },
  sqlite: {
    '0001_ledger.down.sql': `drop table chronos_checkpoints;
drop table chronos_events;
drop table chronos_traces;
drop table chronos_audit_logs;
drop table chronos_memory;
drop table chronos_sessions;
`,
    '0001_ledger.up.sql': `-- The ledger's tables. Text is compared and sorted by bytes. JSON is held as text, times as milliseconds since 1970
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
`,
    '0002_open_runs.down.sql': `drop index chronos_sessions_by_update;
drop index chronos_sessions_by_status;
drop index chronos_sessions_by_agent_status;
drop table chronos_event_heads;
`,
    '0002_open_runs.up.sql': `-- What a service needs to find and continue the runs that a crash left open: the last place given out in each
-- session, and the sessions by status and by last change.

create table chronos_event_heads (
  tenant_id text not null,
  session_id text not null,
  head integer not null,
  primary key (tenant_id, session_id)
) strict;

create index chronos_sessions_by_agent_status on chronos_sessions (tenant_id, agent_id, status, created_at, id);
create index chronos_sessions_by_status on chronos_sessions (tenant_id, status, created_at, id);
create index chronos_sessions_by_update on chronos_sessions (tenant_id, updated_at, id);
`,
    '0003_vectors.down.sql': `-- Refused while there are collections: their tables would stay behind. dropCollection comes first.
alter table chronos_vector_collections add column collections_are_left integer not null;
drop table chronos_vector_collections;
`,
    '0003_vectors.up.sql': `-- The collections of vectors. The table of a collection is chronos_vectors_<number>, made with the collection by the
-- library; a number is never given twice, so that nobody who knew a dropped collection meets another one.

create table chronos_vector_collections (
  number integer not null primary key autoincrement,
  name text not null,
  dimension integer not null,
  metric text not null,
  element_type text not null,
  index_kind text not null,
  m integer not null,
  ef_construction integer not null,
  created_at integer not null
) strict;
create unique index chronos_vector_collections_by_name on chronos_vector_collections (name);
`,
  },
};
