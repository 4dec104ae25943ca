import type { PerLanguage } from '../variants.ts';

/** Statements that damage a ledger, and what `verify` must say of it. */
export interface Damage {
  readonly sql: readonly string[];
  readonly table: string;
  readonly says: RegExp;
}

const LOG_WITHOUT_CHECK = `create table chronos_log_new (
  id integer primary key autoincrement, namespace text not null, migration text not null, direction text not null,
  event text not null, step integer, steps integer, checksum text, directives text,
  at integer not null default (cast(round((julianday('now') - 2440587.5) * 86400000) as integer)),
  duration_ms integer, applied_by text not null default '', host text not null default '',
  tool_version text not null default '', error_code text, error_message text) strict`;

/** One column of ours, made anew in another way: SQLite has no other ALTER. */
const remade = (table: string, column: string, definition: string) => [
  `alter table ${table} drop column ${column}`,
  `alter table ${table} add column ${column} ${definition}`,
];

/** What every engine must see. */
export const DAMAGES: Readonly<Record<string, PerLanguage<Damage>>> = {
  'a dropped column': {
    postgres: {
      sql: ['alter table chronos.chronos_memory drop column user_id'],
      table: 'chronos_memory',
      says: /^column user_id is missing$/,
    },
    mysql: {
      sql: ['alter table chronos_memory drop column user_id'],
      table: 'chronos_memory',
      says: /^column user_id is missing$/,
    },
    sqlite: {
      sql: ['alter table chronos_memory drop column user_id'],
      table: 'chronos_memory',
      says: /^column user_id is missing$/,
    },
  },
  'a changed type': {
    postgres: {
      sql: ['alter table chronos.chronos_sessions alter column status type varchar(65)'],
      table: 'chronos_sessions',
      says: /^column status is character varying\(65\), not text$/,
    },
    mysql: {
      sql: ['alter table chronos_sessions modify status varchar(65) not null'],
      table: 'chronos_sessions',
      says: /^column status is varchar\(65\), not varchar\(64\)$/,
    },
    sqlite: {
      sql: remade('chronos_sessions', 'metadata', 'blob'),
      table: 'chronos_sessions',
      says: /^column metadata is BLOB, not TEXT$/,
    },
  },
  'a changed default': {
    postgres: {
      sql: ["alter table chronos.chronos_sessions alter column status set default 'open'"],
      table: 'chronos_sessions',
      says: /^column status has default 'open'::text, not none$/,
    },
    mysql: {
      sql: ["alter table chronos_sessions alter column status set default 'open'"],
      table: 'chronos_sessions',
      says: /^column status has default 'open', not none$/,
    },
    sqlite: {
      sql: remade('chronos_sessions', 'metadata', "text default '{}'"),
      table: 'chronos_sessions',
      says: /^column metadata has default '\{\}', not none$/,
    },
  },
  'a changed default of the log': {
    postgres: {
      sql: ['alter table chronos.chronos_migration_log alter column at set default now()'],
      table: 'chronos_migration_log',
      says: /^column at has default now\(\), not clock_timestamp\(\)$/,
    },
    mysql: {
      sql: ['alter table chronos_migration_log alter column host drop default'],
      table: 'chronos_migration_log',
      says: /^column host has default none, not ''$/,
    },
    sqlite: {
      sql: remade('chronos_migration_log', 'host', "text not null default 'here'"),
      table: 'chronos_migration_log',
      says: /^column host has default 'here', not ''$/,
    },
  },
  'a column that may be null': {
    postgres: {
      sql: ['alter table chronos.chronos_events alter column payload drop not null'],
      table: 'chronos_events',
      says: /^column payload may be null$/,
    },
    mysql: {
      sql: ['alter table chronos_events modify payload longtext null'],
      table: 'chronos_events',
      says: /^column payload may be null$/,
    },
    sqlite: {
      sql: remade('chronos_events', 'payload', 'text'),
      table: 'chronos_events',
      says: /^column payload may be null$/,
    },
  },
  'a missing index': {
    postgres: {
      sql: ['drop index chronos.chronos_events_by_time'],
      table: 'chronos_events',
      says: /^index chronos_events_by_time is missing$/,
    },
    mysql: {
      sql: ['alter table chronos_events drop key chronos_events_by_time'],
      table: 'chronos_events',
      says: /^index chronos_events_by_time is missing$/,
    },
    sqlite: {
      sql: ['drop index chronos_events_by_time'],
      table: 'chronos_events',
      says: /^index chronos_events_by_time is missing$/,
    },
  },
  'an index that sorts or serves in another way': {
    postgres: {
      sql: [
        'drop index chronos.chronos_events_by_time',
        `create index chronos_events_by_time on chronos.chronos_events
          (tenant_id collate "default", created_at, id text_pattern_ops)`,
      ],
      table: 'chronos_events',
      says: /^index chronos_events_by_time is \(tenant_id collate default, created_at, id text_pattern_ops\), not /,
    },
    mysql: {
      sql: [
        'alter table chronos_events alter index chronos_events_by_time /*!80000 invisible */ /*M!100600 ignored */',
      ],
      table: 'chronos_events',
      says: /^index chronos_events_by_time is \(tenant_id, created_at, id\) invisible, not /,
    },
    sqlite: {
      sql: [
        'drop index chronos_events_by_time',
        'create index chronos_events_by_time on chronos_events (tenant_id, created_at, id collate nocase)',
      ],
      table: 'chronos_events',
      says: /^index chronos_events_by_time is \(tenant_id, created_at, id\) other collation, not /,
    },
  },
  'another collation of a column': {
    postgres: {
      sql: ['alter table chronos.chronos_memory alter column kind type text collate "default"'],
      table: 'chronos_memory',
      says: /^column kind has collation default, not C$/,
    },
    mysql: {
      sql: ['alter table chronos_memory modify kind varchar(64) collate utf8mb4_general_ci not null'],
      table: 'chronos_memory',
      says: /^column kind has collation utf8mb4_general_ci, not utf8mb4_\w*bin$/,
    },
    sqlite: {
      sql: remade('chronos_memory', 'user_id', 'text collate NoCase'),
      table: 'chronos_memory',
      says: /^collation is nocase, not binary$/,
    },
  },
  'an index over other columns': {
    postgres: {
      sql: [
        'drop index chronos.chronos_events_by_time',
        'create index chronos_events_by_time on chronos.chronos_events (tenant_id, created_at desc)',
      ],
      table: 'chronos_events',
      says: /^index chronos_events_by_time is \(tenant_id, created_at\) other order, not \(tenant_id, created_at, id\)$/,
    },
    mysql: {
      sql: [
        'alter table chronos_events drop key chronos_events_by_time, add key chronos_events_by_time (tenant_id, id)',
      ],
      table: 'chronos_events',
      says: /^index chronos_events_by_time is \(tenant_id, id\), not \(tenant_id, created_at, id\)$/,
    },
    sqlite: {
      sql: [
        'drop index chronos_events_by_time',
        'create unique index chronos_events_by_time on chronos_events (tenant_id, created_at, id) where id > 1',
      ],
      table: 'chronos_events',
      says: /^index chronos_events_by_time is unique \(tenant_id, created_at, id\) where id > 1, not /,
    },
  },
  'a dropped check': {
    postgres: {
      sql: [
        'alter table chronos.chronos_migration_log drop constraint chronos_migration_log_direction_check',
      ],
      table: 'chronos_migration_log',
      says: /^check chronos_migration_log_direction_check is missing$/,
    },
    mysql: {
      sql: ['alter table chronos_migration_log drop constraint chronos_migration_log_direction_check'],
      table: 'chronos_migration_log',
      says: /^check chronos_migration_log_direction_check is missing$/,
    },
    sqlite: {
      sql: [
        LOG_WITHOUT_CHECK,
        'insert into chronos_log_new select * from chronos_migration_log',
        'drop table chronos_migration_log',
        'alter table chronos_log_new rename to chronos_migration_log',
      ],
      table: 'chronos_migration_log',
      says: /^check direction in \( 'up' , 'down' \) is missing$/,
    },
  },
  'a dropped table': {
    postgres: {
      sql: ['drop table chronos.chronos_audit_logs'],
      table: 'chronos_audit_logs',
      says: /^the table is missing$/,
    },
    mysql: {
      sql: ['drop table chronos_audit_logs'],
      table: 'chronos_audit_logs',
      says: /^the table is missing$/,
    },
    sqlite: {
      sql: ['drop table chronos_audit_logs'],
      table: 'chronos_audit_logs',
      says: /^the table is missing$/,
    },
  },
};

/** What only Postgres has. */
export const POSTGRES_DAMAGES: Readonly<Record<string, Damage>> = {
  'an invalid index': {
    sql: [
      "update pg_index set indisvalid = false where indexrelid = 'chronos.chronos_traces_by_time'::regclass",
    ],
    table: 'chronos_traces',
    says: /^index chronos_traces_by_time is invalid: a build failed half-way$/,
  },
  'a table that a crash empties': {
    sql: ['alter table chronos.chronos_events set unlogged'],
    table: 'chronos_events',
    says: /^storage is unlogged, not logged$/,
  },
  'disabled policies': {
    sql: ['alter table chronos.chronos_events disable row level security'],
    table: 'chronos_events',
    says: /^row-level security is disabled, not enabled$/,
  },
  'policies forced upon the owner': {
    sql: ['alter table chronos.chronos_events force row level security'],
    table: 'chronos_events',
    says: /^row-level security is forced, not enabled$/,
  },
  'policies on the log, which has no tenants': {
    sql: ['alter table chronos.chronos_migration_log enable row level security, force row level security'],
    table: 'chronos_migration_log',
    says: /^row-level security is forced, not disabled$/,
  },
  'a dropped policy': {
    sql: ['drop policy chronos_tenant on chronos.chronos_memory'],
    table: 'chronos_memory',
    says: /^policy chronos_tenant is missing$/,
  },
  'a policy that lets all through': {
    sql: ['alter policy chronos_tenant on chronos.chronos_memory using (true)'],
    table: 'chronos_memory',
    says: /^policy chronos_tenant is as permissive for all to public using true .*, not as permissive/,
  },
  'a primary key over other columns': {
    sql: [
      'alter table chronos.chronos_traces drop constraint chronos_traces_pkey, add constraint chronos_traces_pkey primary key (id)',
    ],
    table: 'chronos_traces',
    says: /^the primary key is \(id\), not \(tenant_id, id\)$/,
  },
  'a key that is checked at commit only, which no upsert can stand on': {
    sql: [
      `alter table chronos.chronos_traces drop constraint chronos_traces_pkey,
        add constraint chronos_traces_pkey primary key (tenant_id, id) deferrable`,
    ],
    table: 'chronos_traces',
    says: /^the primary key is \(tenant_id, id deferrable\), not \(tenant_id, id\)$/,
  },
};
