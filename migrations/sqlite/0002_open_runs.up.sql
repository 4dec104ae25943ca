-- What a service needs to find and continue the runs that a crash left open: the last place given out in each
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
