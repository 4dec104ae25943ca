import type { Connection, Row } from '../../src/drivers/connection.ts';
import { openConnection } from '../../src/drivers/open.ts';
import { statement } from '../../src/sql/statement.ts';
import { targetOf } from './kept-open.ts';

/** Gives `work` a connection of its own and closes it. */
export async function connected<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await openConnection(await targetOf(url));
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

export function execute(url: string, sql: string): Promise<void> {
  return connected(url, (connection) => connection.script(sql));
}

export function query(url: string, sql: string): Promise<readonly Row[]> {
  return connected(url, (connection) => connection.rows(statement('test.query', sql), {}));
}

/** The first column of the first row. */
export async function columnOf(url: string, sql: string): Promise<Row[string] | undefined> {
  const [row] = await query(url, sql);
  return row === undefined ? undefined : Object.values(row)[0];
}
