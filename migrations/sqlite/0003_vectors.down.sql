-- Refused while there are collections: their tables would stay behind. dropCollection comes first.
alter table chronos_vector_collections add column collections_are_left integer not null;
drop table chronos_vector_collections;
