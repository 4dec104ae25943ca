// Where the servers are: by the environment, else started as for the tests.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import mysql from 'mysql2/promise';
import pg from 'pg';

const scripts = resolve(import.meta.dirname, '../../scripts/databases.mjs');
const VARIABLES = { postgres: 'POSTGRES18', mysql: 'MYSQL9', mariadb: 'MARIADB118' };

/** @typedef {keyof typeof VARIABLES} ServerName */

/** @type {Record<string, string> | undefined} */
let started;

function start() {
  const lines = execFileSync(process.execPath, [scripts, 'up'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).split('\n');
  const found = lines.map((line) => /^export CHRONOS_TEST_(\w+)_URL='?([^']*)'?$/.exec(line));
  return Object.fromEntries(found.flatMap((match) => (match ? [[match[1], match[2]]] : [])));
}

/**
 * @param {ServerName} name
 * @returns {string} URL of a server on which databases may be made
 */
function serverUrl(name) {
  const given = process.env[`CHRONOS_BENCH_${name.toUpperCase()}_URL`];
  if (given) return given;
  const urls = started ?? start();
  started = urls;
  const url = urls[VARIABLES[name]];
  if (!url) throw new Error(`no ${name} was started`);
  return url;
}

/** Ends the servers that were started here. */
export function endServers() {
  if (started) execFileSync(process.execPath, [scripts, 'down'], { stdio: 'ignore' });
}

/**
 * A new, empty database.
 * @param {ServerName} name
 * @returns {Promise<{ url: string, drop: () => Promise<void> }>}
 */
export async function newDatabase(name) {
  const server = serverUrl(name);
  const database = `chronos_bench_${process.pid}_${Date.now().toString(36)}`;
  const run = name === 'postgres' ? onPostgres : onMysql;
  await run(server, `create database ${database}${name === 'postgres' ? '' : ' character set utf8mb4'}`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  return {
    url: url.href,
    drop: () => run(server, `drop database ${database}${name === 'postgres' ? ' with (force)' : ''}`),
  };
}

/**
 * @param {string} url
 * @param {string} text
 */
async function onPostgres(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

/**
 * @param {string} url
 * @param {string} text
 */
async function onMysql(url, text) {
  const connection = await mysql.createConnection({ uri: url.replace(/^mariadb:/, 'mysql:') });
  await connection.query(text);
  await connection.end();
}
