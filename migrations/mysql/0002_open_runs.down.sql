set @chronos_ddl = if(
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
