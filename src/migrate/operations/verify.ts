import type { Connection } from '../../drivers/connection.ts';
import { InvalidArgumentError } from '../../errors.ts';
import { languageOf } from '../../sql/dialect-name.ts';
import { attachedChecks } from '../catalog/attached.ts';
import { collectionChecks } from '../catalog/collections.ts';
import { type Difference, differences } from '../catalog/differences.ts';
import { everyName, expectedShape, LOG_STEP, makerOf } from '../catalog/expected.ts';
import { hiddenOf, liveShape, mendOf } from '../catalog/live.ts';
import { sentence } from '../catalog/words.ts';
import { fail, findingsOf, ok, warn, worstReason } from '../checks.ts';
import { backquoted } from '../engines/placeholders.ts';
import { type FileSet, OURS } from '../files.ts';
import { roleChecks } from '../grants/postgres-checks.ts';
import { progressOf } from '../partial.ts';
import { missingFile, type Survey, survey } from '../plan.ts';
import { reportOf } from '../report.ts';
import type { Opened } from '../source.ts';
import { type State, stateOf } from '../state.ts';
import type { Check, VerifyOptions, VerifyReport } from '../types.ts';

/** Files against the log, the live catalog against the shape that the applied migrations make, grants. */
export async function verify(
  { engine, files }: Opened,
  schema: string,
  options: VerifyOptions,
): Promise<VerifyReport> {
  const { connection, dialectName } = engine;
  const hasRoles = languageOf(dialectName) === 'postgres';
  if (options.appRole !== undefined && !hasRoles) {
    throw new InvalidArgumentError('appRole', `grants are checked on Postgres only, not on ${dialectName}`, {
      reason: 'USAGE',
    });
  }
  const state = stateOf(await engine.log());
  const found = survey(files, state);
  const checks = historyChecks(files, found, state);
  if (connection !== undefined) {
    checks.push(...(await catalogChecks(connection, schema, found, state)));
    if (hasRoles) checks.push(...(await roleChecks(connection, schema, options.appRole)));
  }
  const report = reportOf(engine, files, state, []);
  return { ...report, findings: findingsOf(checks), checks, reason: worstReason(checks) };
}

function historyChecks({ all }: FileSet, found: Survey, state: State): Check[] {
  const unchecked = all.filter(
    ({ id, code, checksum }) => code && checksum === null && state.inForce.has(id),
  );
  const codes = new Set(unchecked.map(({ id }) => id));
  return [
    ...state.open.map((partial) =>
      fail(
        'MIGRATION_PARTIAL',
        partial.id,
        `(${partial.direction}) is half done: ${progressOf(partial)}`,
        'chronos-migrate up goes on, or says how to settle it',
      ),
    ),
    ...found.missing.map((id) =>
      fail('MIGRATION_MISSING', id, missingFile(id, state), 'put the file back from version control'),
    ),
    ...found.changed.map((id) =>
      fail(
        'CHECKSUM_MISMATCH',
        id,
        'was edited after it was applied',
        'restore the file as it was, and put the change into a new migration',
      ),
    ),
    ...found.newer.map(({ id, directives }) => {
      const mend = 'use the version of chronos-storage that applied it';
      const message = 'was applied by a newer chronos-storage: the tables were not compared';
      return directives.includes('breaking')
        ? fail('SCHEMA_TOO_NEW', id, message, mend)
        : warn(id, message, mend);
    }),
    ...found.late.map((id) =>
      warn(id, 'sorts before a migration that is applied already', 'give it a number after the last one'),
    ),
    ...[...state.inForce.values()]
      .filter(({ namespace }) => !found.unseen.includes(namespace))
      .filter(({ id, checksum }) => checksum === null && !codes.has(id))
      .map(({ id }) => ok(id, 'has no checksum: its file was not checked')),
    ...[...codes].map((id) => ok(id, 'is code without a checksum: not checked')),
  ];
}

async function catalogChecks(
  connection: Connection,
  schema: string,
  found: Survey,
  state: State,
): Promise<readonly Check[]> {
  // What a newer version made of the tables, this one cannot know.
  if (found.newer.length > 0) return [];
  const { dialectName } = connection;
  const have = await liveShape(connection, schema, everyName(dialectName));
  const applied = [...state.inForce.values()].filter(({ namespace }) => namespace === OURS);
  const want = expectedShape(dialectName, [
    // Made by the first `up`: until then nothing is expected.
    ...(applied.length > 0 || have.tables.some(({ name }) => name === 'chronos_migration_log')
      ? [LOG_STEP]
      : []),
    ...applied.map(({ name }) => name),
  ]);
  const collections = have.tables.some(({ name }) => name === 'chronos_vector_collections')
    ? await collectionChecks(connection, schema)
    : [];
  const all = differences(want, have);
  const lost = all.filter((each) => each.of === 'table' && each.have === undefined).map(({ table }) => table);
  const unseen = await hiddenOf(connection, lost);
  const hidden = unseen.map((table) => {
    const mend = `grant select on ${backquoted(table)} to the account that verifies`;
    return fail('PRIVILEGE', table, 'is not there, or the account may not see it: it was not compared', mend);
  });
  const seen = all.filter(({ table }) => !unseen.includes(table));
  const tables = seen.map((difference) => {
    const mend = mendText(connection, schema, difference);
    const { table, want: wanted } = difference;
    const message = sentence(difference);
    // Of a migration that stands half done some is there already.
    const foreign = wanted === undefined && (difference.of !== 'table' || state.partial !== null);
    return foreign ? warn(table, message, mend) : fail('DRIFT', table, message, mend ?? '');
  });
  return [...hidden, ...tables, ...collections, ...(await attachedChecks(connection, schema))];
}

function mendText({ dialectName }: Connection, schema: string, difference: Difference): string | null {
  const { of, want, have, table } = difference;
  // Whoever made what is not ours knows what it is for; a policy opens rows to more sessions than ours does.
  if (want === undefined && of !== 'policy') {
    return of === 'table' ? 'drop it, or put the rows of chronos_migration_log back from a backup' : null;
  }
  const statement = mendOf(dialectName, schema, difference);
  if (statement !== '') return statement;
  const maker = makerOf(dialectName, table);
  const file =
    maker === LOG_STEP
      ? 'a new database after `chronos-migrate up`'
      : `migrations/${languageOf(dialectName)}/${maker}.up.sql of this package`;
  if (of === 'table') return `put it back from a backup; ${file} has the statements that make it`;
  if (of === 'function') {
    return `run the statement of ${file} that makes it${have === undefined ? '' : ', as `create or replace function`'}`;
  }
  return `make the table anew as ${file} has it, copy the rows, and give it this name`;
}
