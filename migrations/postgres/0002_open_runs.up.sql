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

-- Stores an event at the next place of its session, in one round trip: the head stays locked until the transaction
-- ends, and a repeat of a stored id takes no place. inserted is 1 or 0; seq_num the stored place, NULL when a new
-- one would be beyond 2^53 - 1; no row when the stored event was deleted meanwhile.
create function {{schema}}.chronos_append_event(
  tenant text, session text, event text, event_type text, event_payload json, event_time timestamptz
) returns table (inserted integer, seq_num bigint) language plpgsql as $$
declare
  place bigint;
  is_new boolean := false;
begin
  loop
    update {{schema}}.chronos_event_heads as h set head = h.head + 1
      where h.tenant_id = tenant and h.session_id = session returning h.head into place;
    exit when found;
    insert into {{schema}}.chronos_event_heads (tenant_id, session_id, head)
      values (tenant, session, greatest(0, (
        select e.seq_num from {{schema}}.chronos_events as e
          where e.tenant_id = tenant and e.session_id = session order by e.seq_num desc, e.id desc limit 1
      )))
      on conflict do nothing;
    is_new := is_new or found;
  end loop;
  if place <= 9007199254740991 then
    insert into {{schema}}.chronos_events (tenant_id, id, session_id, seq_num, type, payload, created_at)
      values (tenant, event, session, place, event_type, event_payload, event_time)
      on conflict do nothing;
    if found then
      return query select 1, place;
      return;
    end if;
  end if;
  if is_new then
    delete from {{schema}}.chronos_event_heads as h where h.tenant_id = tenant and h.session_id = session;
  else
    update {{schema}}.chronos_event_heads as h set head = place - 1
      where h.tenant_id = tenant and h.session_id = session;
  end if;
  if place > 9007199254740991 then
    return query select 0, (select e.seq_num from {{schema}}.chronos_events as e
      where e.tenant_id = tenant and e.id = event);
  else
    return query select 0, e.seq_num from {{schema}}.chronos_events as e
      where e.tenant_id = tenant and e.id = event;
  end if;
end
$$;
