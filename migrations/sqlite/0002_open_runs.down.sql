drop index chronos_sessions_by_update;
drop index chronos_sessions_by_status;
drop index chronos_sessions_by_agent_status;
drop table chronos_event_heads;
