-- The collections of vectors. The table of a collection is chronos_vectors_<number>, made with the collection by the
-- library; a number is never given twice, so that nobody who knew a dropped collection meets another one.

create table chronos_vector_collections (
  number integer not null primary key autoincrement,
  name text not null,
  dimension integer not null,
  metric text not null,
  element_type text not null,
  index_kind text not null,
  m integer not null,
  ef_construction integer not null,
  created_at integer not null
) strict;
create unique index chronos_vector_collections_by_name on chronos_vector_collections (name);
