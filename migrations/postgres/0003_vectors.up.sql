-- The collections of vectors. The table of a collection is chronos_vectors_<number>, made with the collection by the
-- library; a number is never given twice, so that nobody who knew a dropped collection meets another one. Collections
-- belong to the operator, their rows to tenants: every role that was granted it reads this table, only its owner
-- writes it.

create table {{schema}}.chronos_vector_collections (
  number bigint generated always as identity,
  name text collate "C" not null,
  dimension integer not null,
  metric text collate "C" not null,
  element_type text collate "C" not null,
  index_kind text collate "C" not null,
  m integer not null,
  ef_construction integer not null,
  created_at timestamptz(3) not null,
  constraint chronos_vector_collections_pkey primary key (number),
  constraint chronos_vector_collections_by_name unique (name)
);

alter table {{schema}}.chronos_vector_collections enable row level security;
create policy chronos_collections on {{schema}}.chronos_vector_collections for select using (true);
