import { ChronosError } from '../errors.ts';
import type { Statement } from '../sql/statement.ts';
import type { Row, ServerFacts, Value, Values } from './connection.ts';
import { type Clients, type Driver, oneByOne, ordered, type Result } from './driver.ts';
import { postgresFinding } from './failures/postgres.ts';
import { failure, type Where } from './failures.ts';
import type { PgliteDatabase, PgliteQueries, PgliteResult } from './handles.ts';

/** What PGlite hands into a transaction. */
type Tx = PgliteQueries & { rollback(): Promise<void> };

/** A transaction of PGlite that is open: its callback waits for `finish`. */
interface Open {
  readonly tx: Tx;
  readonly finish: () => void;
  readonly ended: Promise<void>;
}

/**
 * PGlite: Postgres in this process, one session, no cancelling. Transactions go through its own
 * `transaction`, so that a host's queries wait instead of landing inside ours.
 */
export class PgliteDriver implements Driver<PgliteDatabase> {
  readonly dialectName = 'pglite';
  readonly server: ServerFacts;
  readonly clients: Clients<PgliteDatabase>;
  readonly alone = false;
  readonly inProcess = true;
  #open: Open | undefined;

  constructor(server: ServerFacts, clients: Clients<PgliteDatabase>) {
    this.server = server;
    this.clients = clients;
  }

  async execute(db: PgliteDatabase, statement: Statement, values: Values): Promise<Result> {
    const list = ordered(statement, values).map(asText);
    const result = await (this.#open?.tx ?? db).query(statement.text, list, asWritten(db));
    return { rows: result.rows as Row[], count: result.rowCount ?? 0 };
  }

  executeEach(db: PgliteDatabase, statement: Statement, list: readonly Values[]): Promise<number[]> {
    return oneByOne(this, db, statement, list);
  }

  async script(db: PgliteDatabase, text: string): Promise<void> {
    await (this.#open?.tx ?? db).exec(text);
  }

  native(db: PgliteDatabase): unknown {
    return this.#open?.tx ?? db;
  }

  begin(db: PgliteDatabase): Promise<void> {
    return new Promise((begun, failed) => {
      const ended = db.transaction((tx) => {
        return new Promise<void>((finish) => {
          this.#open = { tx, finish, ended };
          begun();
        });
      });
      ended.catch(failed);
    });
  }

  /** Committed by its own statement, whose answer tells a rollback; PGlite's own COMMIT after it is empty. */
  async commit(): Promise<boolean> {
    const open = this.#taken();
    const results = (await open.tx.exec('commit')) as readonly PgliteResult[];
    open.finish();
    await open.ended;
    return results.at(-1)?.command === 'COMMIT';
  }

  async rollback(): Promise<void> {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    await open.tx.rollback();
    open.finish();
    await open.ended;
  }

  async cancel(): Promise<void> {}

  async absorb(): Promise<void> {}

  abandon(): void {}

  isBroken(db: PgliteDatabase): boolean {
    return db.closed;
  }

  failure(error: unknown, where: Where): ChronosError {
    return error instanceof ChronosError ? error : failure(postgresFinding(error, where), where);
  }

  #taken(): Open {
    const open = this.#open as Open;
    this.#open = undefined;
    return open;
  }
}

const same = (text: string): string => text;
const kept = new WeakMap<PgliteDatabase, { readonly types: number; readonly options: object }>();

/** The types that our statements read and bind, and that PGlite converts: its transactions do not tell which it has. */
const TYPES: readonly string[] =
  '16 17 20 21 23 25 26 114 700 701 1009 1016 1043 1082 1114 1184 1185 1700 3802'.split(' ');

/** Options by which every value arrives as Postgres wrote it, whatever parsers the instance has. */
export function asWritten(db: PgliteDatabase): object {
  const known = kept.get(db);
  const oids = db.parsers === undefined ? TYPES : Object.keys(db.parsers);
  if (known?.types === oids.length) return known.options;
  const parsers = Object.fromEntries(oids.map((oid) => [oid, same]));
  const bound = db.serializers === undefined ? TYPES : Object.keys(db.serializers);
  const serializers = Object.fromEntries(bound.map((oid) => [oid, same]));
  const options = { parsers, serializers };
  kept.set(db, { types: oids.length, options });
  return options;
}

/** A value in Postgres's own text form. */
export function asText(value: Value): string | null {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return Array.isArray(value) ? `{${value.map(element).join(',')}}` : String(value);
}

function element(value: string | number | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'number' ? String(value) : `"${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
}
