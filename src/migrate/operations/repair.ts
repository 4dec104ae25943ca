import { InvalidArgumentError } from '../../errors.ts';
import { isNamed } from '../goal.ts';
import type { LogRow } from '../log.ts';
import { type Partial, stateOf } from '../state.ts';
import type { Migration, RepairOptions, Report } from '../types.ts';
import { type Context, reportNow } from './context.ts';

/** Logs what a person found out about a half-done migration. */
export async function repair(context: Context, options: RepairOptions): Promise<Report> {
  check(options);
  const { files } = await context.source.read();
  const engine = await context.source.write();
  await engine.locked(async (turn) => {
    const { open } = stateOf(await turn.log());
    const [partial, another] = open.filter((each) => isNamed(named(each), options.migration));
    if (partial === undefined) throw nothingToRepair(options, open);
    if (another !== undefined) throw usage('migration', `the name of ${partial.id} and ${another.id}`);
    const file = files.all.find(({ id }) => id === partial.id);
    if (file === undefined) throw fileMissing(partial);
    await turn.record([rowOf(partial, file, settled(partial, options))]);
  });
  return reportNow(context);
}

function named({ id, namespace }: Partial): { readonly id: string; readonly name: string } {
  return { id, name: id.slice(namespace.length + 1) };
}

/** How many statements are done; null = all of the migration. */
function settled(partial: Partial, { step, as }: RepairOptions): number | null {
  const open = partial.doubt ?? partial.done + 1;
  if (step === undefined) return as === 'done' ? null : 0;
  if (step !== open) {
    throw new InvalidArgumentError('step', `the statement in question is ${open}, not ${step}`, {
      reason: 'USAGE',
      hint: `repair ${partial.id} --step ${open}`,
    });
  }
  if (as === 'done' && partial.doubt === null && partial.failure === null) {
    throw new InvalidArgumentError('step', `statement ${step} was never begun: there is nothing to settle`, {
      reason: 'USAGE',
      hint: 'run `up`, which goes on there',
    });
  }
  if (as === 'done' && (partial.steps ?? 1) <= 1) return null;
  return as === 'done' ? step : step - 1;
}

function rowOf(partial: Partial, file: Migration, step: number | null): LogRow {
  return {
    namespace: partial.namespace,
    migration: named(partial).name,
    direction: partial.direction,
    event: 'repaired',
    ...(step === null ? {} : { step }),
    ...(partial.steps === null ? {} : { steps: partial.steps }),
    checksum: file.checksum,
    directives: file.directives,
  };
}

function check({ migration, step, as }: RepairOptions): void {
  if (as !== 'done' && as !== 'again') throw usage('as', "neither 'done' nor 'again'");
  if (typeof migration !== 'string' || migration === '')
    throw usage('migration', 'not the id of a migration');
  if (step !== undefined && !(Number.isSafeInteger(step) && step > 0)) {
    throw usage('step', 'not a whole number from 1');
  }
}

function nothingToRepair({ migration }: RepairOptions, open: readonly Partial[]): InvalidArgumentError {
  const stands = open.length === 0 ? 'no migration is' : `${open.map(({ id }) => id).join(', ')} is`;
  return new InvalidArgumentError('migration', `${migration} is not half done: ${stands}`, {
    reason: 'USAGE',
    hint: '`status` says where the database stands',
  });
}

function fileMissing({ id, namespace }: Partial): InvalidArgumentError {
  return new InvalidArgumentError('migration', `${id} is half done, and its file is not among those given`, {
    reason: 'USAGE',
    hint: `give the folder of the namespace ${namespace} with --dir, and --namespace where it is not app`,
  });
}

function usage(argument: string, problem: string): InvalidArgumentError {
  return new InvalidArgumentError(argument, problem, { reason: 'USAGE' });
}
