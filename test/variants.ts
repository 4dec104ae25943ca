import { inject } from 'vitest';
import { createMysql, createPostgres } from './servers/databases-on-server.ts';
import { createPglite, createSqlite } from './servers/embedded.ts';
import { own } from './servers/lifetime.ts';
import type { VariantName } from './servers/table.mjs';

export type { VariantName } from './servers/table.mjs';

export type Language = 'postgres' | 'mysql' | 'sqlite';
export type Driver = 'pg' | 'mysql2' | 'pglite' | 'better-sqlite3';

/** An expectation that differs between engine versions: forgetting one does not compile. */
export type PerVariant<T> = Record<VariantName, T>;
/** An expectation that differs between languages only. */
export type PerLanguage<T> = Record<Language, T>;

export interface TestDatabase {
  readonly url: string;
  /** Need not be called: the end of the test file does it, and keeps the database when the file failed. */
  drop(): Promise<void>;
}

/** One engine version that runs now: a language and the driver that speaks it. */
export interface Variant {
  readonly name: VariantName;
  readonly language: Language;
  readonly driver: Driver;
  /** With the rights to make databases and roles; absent where there is no server. */
  readonly serverUrl?: string;
  /** A new, empty database; `hint` (letters, digits, `_`) shows in its name. */
  createDatabase(hint?: string): Promise<TestDatabase>;
}

const facts: PerVariant<{ language: Language; driver: Driver }> = {
  postgres18: { language: 'postgres', driver: 'pg' },
  postgres15: { language: 'postgres', driver: 'pg' },
  mysql9: { language: 'mysql', driver: 'mysql2' },
  mariadb118: { language: 'mysql', driver: 'mysql2' },
  mariadb1011: { language: 'mysql', driver: 'mysql2' },
  pglite: { language: 'postgres', driver: 'pglite' },
  sqlite: { language: 'sqlite', driver: 'better-sqlite3' },
};

const engines = inject('engines');

/** The engine versions that run now. */
export const variants: readonly Variant[] = engines.variants.map(({ name, server }) => ({
  name,
  ...facts[name],
  ...(server && { serverUrl: server.url }),
  createDatabase: async (hint = 'test') => {
    const title = databaseName(hint);
    const database = await create(name, title, server?.url);
    return own({ title: `${name} ${title}`, isServerTemporary: server?.isTemporary ?? false, ...database });
  },
}));

/**
 * One engine version of each language, all of them in a soak: for what stands above the engines (screens, exit codes),
 * where what lies below is tested on each.
 */
export const oneOfEachLanguage: readonly Variant[] =
  process.env.CHRONOS_SOAK === '1'
    ? variants
    : variants.filter(({ language }, i) => variants.findIndex((other) => other.language === language) === i);

/**
 * The cheapest engine version, all of them in a soak: for what is the same everywhere by how it is built (screens of one
 * text, forms of one code), where each part of it is tested on each engine by itself.
 */
export const oneOfAll: readonly Variant[] =
  process.env.CHRONOS_SOAK === '1' ? variants : variants.filter((_, i) => i === variants.length - 1);

/**
 * One engine version of each driver, all of them in a soak: for what a driver makes of the suite, where the suite itself
 * runs on each version.
 */
export const oneOfEachDriver: readonly Variant[] =
  process.env.CHRONOS_SOAK === '1'
    ? variants
    : variants.filter(({ driver }, i) => variants.findIndex((other) => other.driver === driver) === i);

/** The same database through PgBouncer in transaction mode; null where none stands in front of its server. */
export function pgbouncerUrl(databaseUrl: string): string | null {
  const behind = engines.variants.find(({ name }) => name === 'postgres18')?.server;
  if (
    databaseUrl === '' ||
    !engines.pgbouncerUrl ||
    !behind ||
    new URL(databaseUrl).host !== new URL(behind.url).host
  )
    return null;
  const url = new URL(databaseUrl);
  url.host = new URL(engines.pgbouncerUrl).host;
  return url.href;
}

function create(name: VariantName, title: string, serverUrl: string | undefined): Promise<TestDatabase> {
  if (name === 'sqlite') return createSqlite(title);
  if (name === 'pglite') return createPglite(title, engines.pgliteTemplate!);
  return facts[name].language === 'postgres'
    ? createPostgres(serverUrl!, title)
    : createMysql(serverUrl!, title);
}

let created = 0;

/** The time is in it because a kept database outlives its process, whose number comes again. */
function databaseName(hint: string): string {
  const word = hint.toLowerCase().replace(/\W+/g, '_').slice(0, 24);
  return `chronos_${word}_${process.pid}_${Date.now().toString(36)}_${++created}`;
}
