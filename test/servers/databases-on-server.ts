import mysql from 'mysql2/promise';
import pg from 'pg';

export interface ServerDatabase {
  url: string;
  drop(): Promise<void>;
}

export async function createPostgres(serverUrl: string, name: string): Promise<ServerDatabase> {
  // template0 has the encoding and the ICU collation that the server was initialised with, and nothing that someone added.
  await onPostgres(serverUrl, (client) => client.query(`create database "${name}" template template0`));
  const drop = () =>
    onPostgres(serverUrl, (client) => client.query(`drop database if exists "${name}" with (force)`));
  return { url: inDatabase(serverUrl, name), drop };
}

export async function createMysql(serverUrl: string, name: string): Promise<ServerDatabase> {
  await onMysql(serverUrl, (connection) =>
    connection.query(`create database \`${name}\` character set utf8mb4`),
  );
  return {
    url: inDatabase(serverUrl, name),
    drop: () => onMysql(serverUrl, (connection) => dropMysql(connection, name)),
  };
}

/** A connection that a test left with an open transaction holds metadata locks, for which the drop would wait. */
async function dropMysql(connection: mysql.Connection, name: string): Promise<void> {
  const [rows] = await connection.query('show processlist');
  for (const { Id, db } of rows as { Id: number; db: string | null }[]) {
    // It may have ended by itself since the list was made.
    if (db === name) await connection.query('kill ?', [Id]).catch(() => undefined);
  }
  await connection.query(`drop database if exists \`${name}\``);
}

async function onPostgres(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

async function onMysql(url: string, work: (connection: mysql.Connection) => Promise<unknown>): Promise<void> {
  const connection = await mysql.createConnection({ uri: url });
  await work(connection).finally(() => connection.end());
}

function inDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
