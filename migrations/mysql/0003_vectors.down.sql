drop table if exists chronos_vector_collections;
