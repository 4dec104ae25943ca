import mysql from 'mysql2/promise';
import pg from 'pg';

/**
 * Resolves once an authenticated query is answered: an open port proves nothing, the port mapping accepts before the server
 * does, and the official images run a first server only to initialise.
 *
 * @param {string} url
 * @param {number} timeout ms
 */
export async function ready(url, timeout = 90_000) {
  const deadline = Date.now() + timeout;
  for (;;) {
    try {
      return await serverVersion(url);
    } catch (cause) {
      if (Date.now() > deadline) throw new Error(`no answer within ${timeout / 1000} s`, { cause });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/** @type {(url: string) => Promise<string>} */
export async function serverVersion(url) {
  return url.startsWith('postgres') ? postgresVersion(url) : mysqlVersion(url);
}

/** @type {(url: string) => Promise<string>} */
async function postgresVersion(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', ignoreSecondReport);
  try {
    await client.connect();
    return (await client.query('select version() as version')).rows[0].version;
  } finally {
    await client.end();
  }
}

/** @type {(url: string) => Promise<string>} */
async function mysqlVersion(url) {
  const connection = await mysql.createConnection({ uri: url, connectTimeout: 3000 });
  connection.on('error', ignoreSecondReport);
  try {
    const [rows] = await connection.query('select version() as version');
    return /** @type {{ version: string }[]} */ (rows)[0]?.version ?? '';
  } finally {
    connection.destroy();
  }
}

/** Both drivers reject the call and then emit the same failure; without a listener that would end the process. */
function ignoreSecondReport() {}
