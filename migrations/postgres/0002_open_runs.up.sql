-- What a service needs to find and continue the runs that a crash left open: the last place given out in each
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
