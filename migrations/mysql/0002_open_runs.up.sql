-- What a service needs to find and continue the runs that a crash left open: the last place given out in each
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
