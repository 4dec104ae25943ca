import type { Connection, Row } from '../../drivers/connection.ts';
import { ChronosError } from '../../errors.ts';
import { statement } from '../../sql/statement.ts';
import { everyName } from '../catalog/expected.ts';
import { hiddenOf } from '../catalog/live.ts';
import { mysqlShape } from '../catalog/mysql.ts';
import { fail, ok, warn } from '../checks.ts';
import { backquoted, binCollation } from '../engines/placeholders.ts';
import { accountText, parseAccount } from '../grants/mysql.ts';
import type { Check } from '../types.ts';
import { connectionsCheck } from './connections.ts';

/** Longer than this (s) a call should not stand behind somebody's open ALTER TABLE. */
const PATIENCE = 3600;
const LOG = 'chronos_migration_log';

const SERVER = statement(
  'doctor.server',
  `select current_user() as account, database() as db, @@session.time_zone as zone, @@lock_wait_timeout as patience,
  @@max_connections as most, @@max_user_connections as own`,
);
const COLLATION = statement(
  'doctor.collation',
  'select 1 as found from information_schema.collations where collation_name = ?',
  ['name'],
);

/** Version, encoding, grants, time zone, `lock_wait_timeout`, connections. */
export async function mysqlChecks(connection: Connection): Promise<Check[]> {
  const [row = {}] = await connection.rows(SERVER, {});
  const server = Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
  const account = accountText(parseAccount(String(server.account)));
  return [
    ok(
      'server version',
      `${connection.dialectName === 'mysql' ? 'MySQL' : 'MariaDB'} ${connection.server.version}`,
    ),
    await encodingCheck(connection),
    await grantsCheck(connection, String(server.db), account),
    ok('time zone', `${server.zone}; of no matter, times are stored in UTC`),
    patienceCheck(Number(server.patience), connection),
    connectionsCheck(limits(server, account)),
  ];
}

/** The tables name their own character set, whatever the database's is: the server must have the collation. */
async function encodingCheck(connection: Connection): Promise<Check> {
  const name = binCollation(connection.dialectName);
  const found = await connection.rows(COLLATION, { name });
  if (found.length > 0) return ok('encoding', `utf8mb4, ${name}`);
  return fail('DATABASE_ERROR', 'encoding', `the server has no ${name}`, 'upgrade the server');
}

/** EXPLAIN asks for the privileges of what it explains, and does nothing. */
async function grantsCheck(connection: Connection, database: string, account: string): Promise<Check> {
  const subject = `account ${account}`;
  const names = everyName(connection.dialectName).tables;
  const { tables } = await mysqlShape(connection, names);
  if (tables.length === 0)
    return ok(subject, 'sees no tables of ours yet; `up` tells whether it may make them');
  const mends: string[] = [];
  const lacking: string[] = [];
  for (const { name, columns } of tables) {
    const verbs = await lackingVerbs(connection, name, columns[0]?.name ?? 'id');
    if (verbs.length === 0) continue;
    lacking.push(`${verbs.join(', ')} on ${name}`);
    mends.push(`grant ${verbs.join(', ')} on ${backquoted(database)}.${backquoted(name)} to ${account}`);
  }
  const shown = new Set(tables.map(({ name }) => name));
  const unshown = names.filter((name) => !shown.has(name));
  for (const name of await hiddenOf(connection, unshown)) {
    const verbs = name === LOG ? 'select' : 'select, insert, update, delete';
    lacking.push(`all on ${name}`);
    mends.push(`grant ${verbs} on ${backquoted(database)}.${backquoted(name)} to ${account}`);
  }
  if (mends.length === 0) return ok(subject, 'has every grant that a service needs');
  return fail('PRIVILEGE', subject, `lacks ${lacking.join('; ')}`, mends.join('; '));
}

async function lackingVerbs(connection: Connection, table: string, column: string): Promise<string[]> {
  const [place, name] = [backquoted(table), backquoted(column)];
  const probes: readonly (readonly [verb: string, text: string])[] = [
    ['select', `select ${name} from ${place} where 1 = 0`],
    ['insert', `insert into ${place} (${name}) values (null)`],
    ['update', `update ${place} set ${name} = ${name} where 1 = 0`],
    ['delete', `delete from ${place} where 1 = 0`],
  ];
  const lacking: string[] = [];
  for (const [verb, text] of table === LOG ? probes.slice(0, 1) : probes) {
    try {
      await connection.rows(statement(`doctor.${verb}`, `explain ${text}`), {});
    } catch (error) {
      if (!(error instanceof ChronosError) || error.reason !== 'PRIVILEGE') throw error;
      lacking.push(verb);
    }
  }
  return lacking;
}

function patienceCheck(seconds: number, { dialectName }: Connection): Check {
  const message = `${seconds} s`;
  if (seconds <= PATIENCE) return ok('lock_wait_timeout', message);
  // Only MySQL can keep it over a restart; there a GLOBAL is lost like on MariaDB.
  const verb = dialectName === 'mysql' ? 'persist' : 'global';
  return warn(
    'lock_wait_timeout',
    `${message}: a call behind an open transaction and an ALTER TABLE waits that long`,
    `set ${verb} lock_wait_timeout = 60`,
  );
}

function limits({ most, own }: Row, account: string) {
  const server = { name: 'max_connections', most: Number(most), mend: 'set global max_connections = 151' };
  if (Number(own) === 0) return [server];
  const mend = `alter user ${account} with max_user_connections 0`;
  return [server, { name: `the limit of ${account}`, most: Number(own), mend }];
}
