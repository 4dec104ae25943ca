import { languageOf } from '../../sql/dialect-name.ts';
import { findingsOf, ok, warn, worstReason } from '../checks.ts';
import { mysqlChecks } from '../doctor/mysql.ts';
import { postgresChecks } from '../doctor/postgres.ts';
import { sqliteChecks } from '../doctor/sqlite.ts';
import type { MigrationEngine } from '../engines/engine.ts';
import type { Check, DoctorReport } from '../types.ts';

/** Looks at the server, its settings and the role that is connected, and changes nothing. */
export async function doctor(engine: MigrationEngine, schema: string): Promise<DoctorReport> {
  const { dialectName, version, target } = engine;
  const checks = await checksOf(engine, schema);
  return {
    engine: dialectName,
    version,
    target,
    findings: findingsOf(checks),
    checks,
    reason: worstReason(checks),
  };
}

async function checksOf(
  { connection, dialectName, target }: MigrationEngine,
  schema: string,
): Promise<Check[]> {
  if (connection === undefined) {
    return [warn('connection', `${target} is not there yet`, 'chronos-migrate up')];
  }
  const connected = ok('connection', target);
  switch (languageOf(dialectName)) {
    case 'postgres':
      return [connected, ...(await postgresChecks(connection, schema))];
    case 'mysql':
      return [connected, ...(await mysqlChecks(connection))];
    case 'sqlite':
      return [connected, ...(await sqliteChecks(connection))];
  }
}
