-- Refused while there are collections: their tables would stay behind. dropCollection comes first.
alter table {{schema}}.chronos_vector_collections add column collections_are_left integer not null;
drop table {{schema}}.chronos_vector_collections;
