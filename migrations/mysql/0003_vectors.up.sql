-- The collections of vectors. This engine has no distance function: the table is here so that the schema is one, and
-- stays empty.

create table if not exists chronos_vector_collections (
  number bigint not null auto_increment,
  name varchar(255) not null,
  dimension int not null,
  metric varchar(64) not null,
  element_type varchar(64) not null,
  index_kind varchar(64) not null,
  m int not null,
  ef_construction int not null,
  created_at datetime(3) not null,
  primary key (number),
  unique key chronos_vector_collections_by_name (name)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate {{bin_collation}};
