drop index {{schema}}.chronos_sessions_by_update;
drop index {{schema}}.chronos_sessions_by_status;
drop index {{schema}}.chronos_sessions_by_agent_status;
drop function {{schema}}.chronos_append_event(text, text, text, text, json, timestamptz);
drop table {{schema}}.chronos_event_heads;
