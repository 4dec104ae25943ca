-- The ledger's tables. Text is compared and sorted by bytes, trailing spaces included. JSON is
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
  `key` varchar(128) not null,
  `value` longtext not null,
  created_at datetime(3) not null,
  primary key (tenant_id, id),
  key chronos_memory_by_key (tenant_id, agent_id, `key`, created_at, id),
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
