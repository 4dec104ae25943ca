import { hostname, userInfo } from 'node:os';
import type { Connection, Row, Value, Values } from '../drivers/connection.ts';
import { languageOf } from '../sql/dialect-name.ts';
import { type Statement, statement } from '../sql/statement.ts';
import { hidden } from './catalog/mysql-hidden.ts';
import { TOOL_VERSION } from './embedded.ts';
import { LOG_TEXTS, type LogTexts } from './log-texts.ts';
import type { Direction, LogEntry, Migration } from './types.ts';

/** What a new row of the log says; who, where, when and with what are added here. */
export interface LogRow {
  readonly namespace: string;
  readonly migration: string;
  readonly direction: Direction;
  readonly event: LogEntry['event'];
  readonly step?: number | undefined;
  readonly steps?: number | undefined;
  readonly checksum?: string | null | undefined;
  readonly directives?: readonly string[] | undefined;
  readonly durationMs?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly errorMessage?: string | undefined;
}

const COLUMNS = [
  'namespace',
  'migration',
  'direction',
  'event',
  'step',
  'steps',
  'checksum',
  'directives',
  'duration_ms',
  'applied_by',
  'host',
  'tool_version',
  'error_code',
  'error_message',
] as const;

/** The append-only log of one database. Every method runs on the connection that it is given. */
export class Log {
  readonly #texts: LogTexts;
  readonly #exists: Statement;
  readonly #tables: Statement;
  readonly #read: Statement;
  readonly #insert: Statement;
  readonly #retract: Statement;
  readonly #table: string;

  /** `qualifier` is what stands before the table's name: `"chronos".`, or nothing. */
  constructor(connection: Connection, schema: string, qualifier: string) {
    this.#texts = LOG_TEXTS[languageOf(connection.dialectName)];
    this.#table = `${qualifier}chronos_migration_log`;
    this.#exists = statement('log.exists', this.#texts.exists, this.#texts.existsOrder);
    this.#tables = statement('log.tables', this.#texts.tables, this.#texts.existsOrder);
    this.#read = statement(
      'log.read',
      this.#texts.read.replaceAll('{{log}}', () => this.#table),
    );
    const marks = COLUMNS.map((_, index) => this.#texts.mark(index + 1)).join(', ');
    const insert = `insert into ${this.#table} (${COLUMNS.join(', ')}) values (${marks})`;
    this.#insert = statement('log.insert', insert, COLUMNS);
    const { mark } = this.#texts;
    const retract = `delete from ${this.#table} where id = (select max(id) from ${this.#table}
where namespace = ${mark(1)} and migration = ${mark(2)} and event = 'started')`;
    this.#retract = statement('log.retract', retract, ['namespace', 'migration']);
    this.#values = { schema };
  }

  readonly #values: Values;

  /** Throws UnavailableError PRIVILEGE where nobody can know, since the role may not look. */
  async exists(on: Connection): Promise<boolean> {
    if ((await on.rows(this.#exists, this.#values)).length > 0) return true;
    if (languageOf(on.dialectName) !== 'mysql') return false;
    const error = await hidden(on, this.#table);
    if (error !== undefined) throw error;
    return false;
  }

  /** Whether our tables are there, which a log without rows denies. */
  async tablesExist(on: Connection): Promise<boolean> {
    return (await on.rows(this.#tables, this.#values)).length > 0;
  }

  /** Creates the table: under the lock only, since `if not exists` races. */
  async create(on: Connection): Promise<void> {
    await on.script(this.#texts.create.replaceAll('{{log}}', () => this.#table));
  }

  /** All rows, oldest first; no table = no rows. */
  async read(on: Connection): Promise<readonly LogEntry[]> {
    if (!(await this.exists(on))) return [];
    return (await on.rows(this.#read, {})).map(entryOf);
  }

  /** Takes back the last row that said that a migration began, inside the transaction that wrote it. */
  async retract(on: Connection, { namespace, name }: Migration): Promise<void> {
    await on.run(this.#retract, { namespace, migration: name });
  }

  async append(on: Connection, row: LogRow): Promise<void> {
    await on.run(this.#insert, {
      namespace: row.namespace,
      migration: row.migration,
      direction: row.direction,
      event: row.event,
      step: row.step ?? null,
      steps: row.steps ?? null,
      checksum: row.checksum ?? null,
      directives:
        row.directives === undefined || row.directives.length === 0 ? null : row.directives.join(' '),
      duration_ms: row.durationMs ?? null,
      applied_by: userName(),
      host: hostname().slice(0, 255),
      tool_version: TOOL_VERSION,
      error_code: row.errorCode ?? null,
      error_message: row.errorMessage ?? null,
    });
  }
}

/** A container may run under a number that has no name. */
function userName(): string {
  try {
    return userInfo().username.slice(0, 255);
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

function entryOf(row: Row): LogEntry {
  return {
    id: Number(row.id),
    namespace: String(row.namespace),
    migration: String(row.migration),
    direction: row.direction === 'down' ? 'down' : 'up',
    event: eventOf(row.event),
    step: number(row.step),
    steps: number(row.steps),
    checksum: text(row.checksum),
    directives: text(row.directives),
    at: dateOf(Number(row.at)),
    durationMs: number(row.duration_ms),
    appliedBy: String(row.applied_by),
    host: String(row.host),
    toolVersion: String(row.tool_version),
    errorCode: text(row.error_code),
    errorMessage: text(row.error_message),
  };
}

/** The furthest time that a Date can be: the servers have later ones, and `infinity`. */
const FURTHEST = 8.64e15;

function dateOf(ms: number): Date {
  return new Date(Math.max(-FURTHEST, Math.min(FURTHEST, ms)));
}

const EVENTS = ['started', 'step', 'succeeded', 'failed', 'baselined', 'repaired'] as const;

/** A word of a later version, unknown here, must not count as applied. */
function eventOf(word: Value | undefined): LogEntry['event'] {
  return EVENTS.find((event) => event === word) ?? 'step';
}

function number(value: Value | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function text(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
