drop table chronos_checkpoints;
drop table chronos_events;
drop table chronos_traces;
drop table chronos_audit_logs;
drop table chronos_memory;
drop table chronos_sessions;
