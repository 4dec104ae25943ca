import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import Database from 'better-sqlite3';
import mysql from 'mysql2';
import pg from 'pg';
import type { StorageTarget } from '../../src/index.ts';
import { type Driver, type Variant, variants } from '../variants.ts';

/** What a host has open, set up as oddly as its package allows. */
export interface Host {
  readonly target: StorageTarget;
  close(): Promise<void>;
}

/** Settings that hosts choose freely and that must not show. */
export interface Oddity {
  readonly name: string;
  /** The session's time zone on a server. */
  readonly timeZone: 'Asia/Tokyo' | 'America/New_York';
  readonly foundRows: boolean;
}

export const ODDITIES: readonly Oddity[] = [
  { name: 'Asia/Tokyo, without FOUND_ROWS', timeZone: 'Asia/Tokyo', foundRows: false },
  { name: 'America/New_York, with FOUND_ROWS', timeZone: 'America/New_York', foundRows: true },
];

/** How hosts of an engine version are set up: in turns, so that each oddity meets each driver; in a soak all of them. */
export function odditiesOf(variant: Variant): readonly Oddity[] {
  if (process.env.CHRONOS_SOAK === '1') return ODDITIES;
  return [ODDITIES[variants.indexOf(variant) % ODDITIES.length]!];
}

const spoil = (text: string | null): string => `not what was stored: ${text}`;

function pgHost(url: string, { timeZone }: Oddity): Host {
  const options = `-c timezone=${timeZone} -c datestyle=SQL,DMY -c intervalstyle=sql_standard -c search_path=pg_catalog`;
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    options,
    types: { getTypeParser: () => spoil } as unknown as pg.CustomTypesConfig,
  });
  return { target: pool, close: () => pool.end() };
}

function mysqlHost(url: string, { timeZone, foundRows }: Oddity): Host {
  const { hostname, port, username, password, pathname } = new URL(url);
  const pool = mysql.createPool({
    host: hostname,
    port: Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    connectionLimit: 4,
    flags: [foundRows ? '+FOUND_ROWS' : '-FOUND_ROWS'],
    timezone: foundRows ? '+09:00' : 'local',
    dateStrings: foundRows,
    supportBigNumbers: !foundRows,
    bigNumberStrings: !foundRows,
    decimalNumbers: foundRows,
    namedPlaceholders: foundRows,
    rowsAsArray: !foundRows,
    nestTables: foundRows ? '_' : false,
    typeCast: () => spoil(''),
  });
  const offset = timeZone === 'Asia/Tokyo' ? '+09:00' : '-05:00';
  pool.on('connection', (connection) => {
    connection.query(`set time_zone = '${offset}', sql_mode = 'ANSI_QUOTES,STRICT_TRANS_TABLES'`);
  });
  return {
    target: foundRows ? pool : pool.promise(),
    close: () => new Promise((resolve, reject) => pool.end((error) => (error ? reject(error) : resolve()))),
  };
}

function sqliteHost(url: string, { foundRows }: Oddity): Host {
  const db = new Database(url.slice('sqlite:'.length));
  db.defaultSafeIntegers(!foundRows);
  return { target: db, close: async () => void db.close() };
}

async function pgliteHost(url: string, { timeZone }: Oddity): Promise<Host> {
  const OIDS = [16, 20, 21, 23, 25, 114, 700, 701, 1043, 1114, 1184, 1700, 3802];
  const db = await PGlite.create(url.slice('pglite:'.length), {
    extensions: { vector },
    parsers: Object.fromEntries(OIDS.map((oid) => [oid, spoil])),
  });
  await db.exec(`set timezone = '${timeZone}'; set datestyle = 'SQL, DMY'; set search_path = pg_catalog`);
  return { target: db, close: () => db.close() };
}

/** Opens a database as a host would that has its own settings. */
export const hosts: Readonly<Record<Driver, (url: string, oddity: Oddity) => Host | Promise<Host>>> = {
  pg: pgHost,
  mysql2: mysqlHost,
  'better-sqlite3': sqliteHost,
  pglite: pgliteHost,
};
