drop table {{schema}}.chronos_checkpoints;
drop table {{schema}}.chronos_events;
drop table {{schema}}.chronos_traces;
drop table {{schema}}.chronos_audit_logs;
drop table {{schema}}.chronos_memory;
drop table {{schema}}.chronos_sessions;
