import type { Connection } from '../../drivers/connection.ts';
import { MigrationError } from '../../errors.ts';
import { statement } from '../../sql/statement.ts';

const IS_ON = statement('migrate.foreign_keys', 'pragma foreign_keys');
const BROKEN = statement('migrate.foreign_key_check', 'pragma foreign_key_check');

/** A rebuild met a transaction in which foreign keys hold: inside it they cannot be switched off. */
export class ForeignKeysOn extends Error {}

export async function forbidForeignKeys(session: Connection): Promise<void> {
  if (await areOn(session)) throw new ForeignKeysOn();
}

/** Foreign keys off while `work` runs: a table that is dropped to be rebuilt would take its children along. */
export async function withoutForeignKeys<T>(session: Connection, work: () => Promise<T>): Promise<T> {
  await session.script('pragma foreign_keys = off');
  try {
    return await work();
  } finally {
    await session.script('pragma foreign_keys = on');
  }
}

/** Rows that refer to nothing, by table, row, and what they refer to. */
export async function brokenReferences(session: Connection): Promise<ReadonlySet<string>> {
  return new Set((await session.rows(BROKEN, {})).map(keyOf));
}

/** Throws MIGRATION_FAILED where rows refer to nothing that did not before. */
export async function forbidBroken(session: Connection, before: ReadonlySet<string>): Promise<void> {
  const after = await session.rows(BROKEN, {});
  const fresh = after.filter((row) => !before.has(keyOf(row)));
  const [first] = fresh;
  if (first === undefined) return;
  const message = `${fresh.length} rows would refer to nothing, the first from table ${first.table} to ${first.parent}`;
  throw new MigrationError(message, { reason: 'MIGRATION_FAILED' });
}

async function areOn(session: Connection): Promise<boolean> {
  const [row] = await session.rows(IS_ON, {});
  return Number(row?.foreign_keys ?? 0) === 1;
}

function keyOf({ table, rowid, parent, fkid }: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([table, String(rowid), parent, String(fkid)]);
}
