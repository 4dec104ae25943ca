import type { Language } from '../sql/dialect-name.ts';

/** The log's own SQL in one language; `{{log}}` stands for the table. */
export interface LogTexts {
  /** Gives a row when the table exists. */
  readonly exists: string;
  readonly existsOrder: readonly string[];
  /** Gives a row when the first of our tables exists. */
  readonly tables: string;
  readonly create: string;
  readonly read: string;
  /** The placeholder of the nth parameter. */
  readonly mark: (n: number) => string;
}

const COLUMNS = `id, namespace, migration, direction, event, step, steps, checksum, directives, duration_ms,
  applied_by, host, tool_version, error_code, error_message`;

// Columns about who and when have defaults, so that a person can settle an outcome with a short insert.
const POSTGRES: LogTexts = {
  // Not to_regclass: it refuses a role that may not use the schema, where "nothing is applied" is no answer either.
  exists: `select 1 as found from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = 'chronos_migration_log' and c.relkind in ('r', 'p')`,
  existsOrder: ['schema'],
  tables: `select 1 as found from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1 and c.relname = 'chronos_sessions' and c.relkind in ('r', 'p')`,
  create: `create table {{log}} (
  id bigint generated always as identity primary key,
  namespace text collate "C" not null,
  migration text collate "C" not null,
  direction text collate "C" not null check (direction in ('up', 'down')),
  event text collate "C" not null,
  step integer,
  steps integer,
  checksum text collate "C",
  directives text,
  at timestamptz(3) not null default clock_timestamp(),
  duration_ms bigint,
  applied_by text not null default current_user,
  host text not null default '',
  tool_version text not null default '',
  error_code text,
  error_message text
)`,
  // `infinity` is a time that a person may have written, and no bigint.
  read: `select ${COLUMNS}, case when isfinite(at) then floor(extract(epoch from at) * 1000)::bigint
  when at > now() then 8640000000000000 else -8640000000000000 end as at from {{log}} order by id`,
  mark: (n) => `$${n}`,
};

const MYSQL: LogTexts = {
  exists: `select 1 as found from information_schema.tables
where table_schema = database() and table_name = 'chronos_migration_log'`,
  existsOrder: [],
  tables: `select 1 as found from information_schema.tables
where table_schema = database() and table_name = 'chronos_sessions'`,
  create: `create table if not exists {{log}} (
  id bigint not null auto_increment primary key,
  namespace varchar(64) not null,
  migration varchar(255) not null,
  direction varchar(8) not null,
  event varchar(16) not null,
  step int,
  steps int,
  checksum varchar(64),
  directives varchar(255),
  at datetime(3) not null default (utc_timestamp(3)),
  duration_ms bigint,
  applied_by varchar(255) not null default '',
  host varchar(255) not null default '',
  tool_version varchar(64) not null default '',
  error_code varchar(64),
  error_message text,
  constraint chronos_migration_log_direction_check check (direction in ('up', 'down'))
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`,
  read: `select ${COLUMNS}, timestampdiff(microsecond, '1970-01-01 00:00:00', at) div 1000 as at
from {{log}} order by id`,
  mark: () => '?',
};

const SQLITE: LogTexts = {
  // Of `main`, always: a host's file may make a temporary table of the same name.
  exists: `select 1 as found from main.sqlite_master where type = 'table' and name = 'chronos_migration_log'`,
  existsOrder: [],
  tables: `select 1 as found from main.sqlite_master where type = 'table' and name = 'chronos_sessions'`,
  create: `create table {{log}} (
  id integer primary key autoincrement,
  namespace text not null,
  migration text not null,
  direction text not null check (direction in ('up', 'down')),
  event text not null,
  step integer,
  steps integer,
  checksum text,
  directives text,
  at integer not null default (cast(round((julianday('now') - 2440587.5) * 86400000) as integer)),
  duration_ms integer,
  applied_by text not null default '',
  host text not null default '',
  tool_version text not null default '',
  error_code text,
  error_message text
) strict`,
  read: `select ${COLUMNS}, at from {{log}} order by id`,
  mark: () => '?',
};

export const LOG_TEXTS: Readonly<Record<Language, LogTexts>> = {
  postgres: POSTGRES,
  mysql: MYSQL,
  sqlite: SQLITE,
};
