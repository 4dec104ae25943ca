import mysql from 'mysql2/promise';
import pg from 'pg';

const NAME = 'chronos_console';

/**
 * Makes the console's own database on a server, once.
 * @param {string} server URL of the server
 * @returns {Promise<string>} URL of the database
 */
export async function createConsoleDatabase(server) {
  const url = new URL(server);
  const make = url.protocol.startsWith('postgres') ? onPostgres : onMysql;
  await make(server);
  url.pathname = `/${NAME}`;
  return url.href;
}

/** @param {string} server */
async function onPostgres(server) {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [NAME]);
    if (rowCount === 0) await client.query(`create database ${NAME}`);
  } finally {
    await client.end();
  }
}

/** @param {string} server */
async function onMysql(server) {
  const connection = await mysql.createConnection({ uri: server.replace(/^mariadb:/, 'mysql:') });
  try {
    await connection.query(`create database if not exists ${NAME} character set utf8mb4`);
  } finally {
    await connection.end();
  }
}
