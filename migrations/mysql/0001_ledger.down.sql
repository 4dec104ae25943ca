drop table if exists chronos_checkpoints;
drop table if exists chronos_events;
drop table if exists chronos_traces;
drop table if exists chronos_audit_logs;
drop table if exists chronos_memory;
drop table if exists chronos_sessions;
