import type { Connection } from '../../drivers/connection.ts';
import { ChronosError, InvalidArgumentError, MigrationError } from '../../errors.ts';
import { languageOf } from '../../sql/dialect-name.ts';
import { statement } from '../../sql/statement.ts';
import { expectedShape, LOG_STEP } from '../catalog/expected.ts';
import type { MigrationEngine } from '../engines/engine.ts';
import { OURS } from '../files.ts';
import { findAccount, mysqlGrants } from './mysql.ts';
import { lackingStatements, postgresGrants, readGrants } from './postgres.ts';
import { checkRole, lackingWords } from './postgres-checks.ts';
import { unknownRole } from './unknown-role.ts';

/** The owner of our tables; before they are there, who would become it. */
const OWNER = statement(
  'grants.owner',
  `select coalesce((select pg_catalog.pg_get_userbyid(c.relowner)::text from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = 'chronos_sessions'),
  current_user::text) as owner`,
  ['schema'],
);
/** MySQL refuses to make an account by a grant; MariaDB finds none. */
const UNKNOWN_ACCOUNT: ReadonlySet<unknown> = new Set([1410, 1133]);

/** Gives one role what a service needs. */
export interface Granting {
  /** The statements, once these migrations (ids) are in force. */
  statements(inForce: readonly string[]): readonly string[];
  /** Runs them under the lock: two at once on one table fail. */
  run(statements: readonly string[]): Promise<void>;
}

/** Checks the role before anything is touched. Throws InvalidArgumentError USAGE where it is none. */
export async function granting(engine: MigrationEngine, schema: string, role: string): Promise<Granting> {
  switch (languageOf(engine.dialectName)) {
    case 'postgres':
      return postgresGranting(engine, schema, role);
    case 'mysql':
      return mysqlGranting(engine, role);
    case 'sqlite':
      throw new InvalidArgumentError('grantTo', 'SQLite has no roles', {
        reason: 'USAGE',
        hint: 'whoever may write the file may write the ledger: leave it out',
      });
  }
}

async function postgresGranting(engine: MigrationEngine, schema: string, role: string): Promise<Granting> {
  const { connection } = engine;
  if (connection === undefined)
    throw unknownRole('grantTo', 'run up without it, make the role, run up again');
  forbidPredefined(role);
  await checkRole(connection, 'grantTo', role);
  const [row] = await connection.rows(OWNER, { schema });
  if (row?.owner === role) {
    throw new InvalidArgumentError('grantTo', 'this role owns the tables and has every right on them', {
      reason: 'USAGE',
      hint: 'name the role that the service connects as',
    });
  }
  return {
    statements: (inForce) => {
      const { tables, functions } = shapeOf(engine, inForce);
      return postgresGrants(schema, role, { tables: names(tables), functions: names(functions) });
    },
    run: (statements) =>
      engine.locked(async (turn) => {
        for (const text of statements) await turn.connection.script(text);
        await forbidLacking(turn.connection, schema, role);
      }),
  };
}

/** Nobody connects as one, and whoever is a member of it would come to our tables. Postgres keeps the prefix for them. */
function forbidPredefined(role: string): void {
  if (!role.startsWith('pg_')) return;
  throw new InvalidArgumentError('grantTo', 'roles that begin with pg_ are of Postgres itself', {
    reason: 'USAGE',
    hint: 'name the role that the service connects as',
  });
}

/** Without the right to grant, Postgres warns and goes on. */
async function forbidLacking(connection: Connection, schema: string, role: string): Promise<void> {
  const grants = await readGrants(connection, schema, role);
  if (lackingStatements(grants, schema, role).length === 0) return;
  throw new MigrationError(
    `the server gave the role not all that it needs: it lacks ${lackingWords(grants)}`,
    {
      reason: 'PRIVILEGE',
      hint: 'run it as the owner of the tables',
    },
  );
}

async function mysqlGranting(engine: MigrationEngine, role: string): Promise<Granting> {
  const { connection } = engine;
  if (connection === undefined) throw unknownRole('grantTo', 'make it first');
  const account = await findAccount(connection, role);
  const { database } = connection.server;
  return {
    statements: (inForce) => mysqlGrants(database, account, names(shapeOf(engine, inForce).tables)),
    run: (statements) =>
      engine.locked(async (turn) => {
        for (const text of statements) await turn.connection.script(text).catch(explain);
      }),
  };
}

function explain(error: unknown): never {
  const cause = error instanceof ChronosError ? error.cause : undefined;
  if (cause instanceof Error && UNKNOWN_ACCOUNT.has(Reflect.get(cause, 'errno'))) {
    throw unknownRole('grantTo', 'make it with `create user`, or name it with its host: user@host');
  }
  throw error;
}

function shapeOf({ dialectName }: MigrationEngine, inForce: readonly string[]) {
  const ours = inForce.filter((id) => id.startsWith(`${OURS}:`)).map((id) => id.slice(OURS.length + 1));
  return expectedShape(dialectName, [LOG_STEP, ...ours]);
}

function names(things: readonly { readonly name: string }[]): readonly string[] {
  return things.map(({ name }) => name);
}
