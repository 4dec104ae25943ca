import { InvalidArgumentError } from '../../errors.ts';
import { OURS } from '../files.ts';
import { locate } from '../goal.ts';
import { partialError, repairHint } from '../partial.ts';
import { type State, stateOf } from '../state.ts';
import type { BaselineOptions, BaselineReport, Migration } from '../types.ts';
import { type Context, reportNow } from './context.ts';

/** Logs as applied, without running them, a migration and those before it in its namespace. */
export async function baseline(context: Context, { at }: BaselineOptions): Promise<BaselineReport> {
  const { files } = await context.source.read();
  const last = locate(at, files.all, 'at');
  const wanted = files.all.filter(({ namespace, name }) => namespace === last.namespace && name <= last.name);
  const engine = await context.source.write();
  const baselined = await engine.locked(async (turn) => {
    const missing = outstanding(stateOf(await turn.log()), wanted);
    if (missing.length === 0) return [];
    if (last.namespace === OURS && !(await turn.tablesExist())) throw nothingThere();
    await turn.record(missing.map(rowOf));
    return missing.map(({ id }) => id);
  });
  return { ...(await reportNow(context)), baselined };
}

function outstanding({ inForce, open }: State, wanted: readonly Migration[]): readonly Migration[] {
  const partial = open.find((each) => wanted.some(({ id }) => id === each.id));
  if (partial !== undefined) {
    throw partialError(partial, repairHint(partial));
  }
  return wanted.filter(({ id }) => !inForce.has(id));
}

function rowOf({ namespace, name, checksum, directives }: Migration) {
  return { namespace, migration: name, direction: 'up', event: 'baselined', checksum, directives } as const;
}

function nothingThere(): InvalidArgumentError {
  return new InvalidArgumentError('at', 'there is no table chronos_sessions: nothing to take as applied', {
    reason: 'USAGE',
    hint: 'run `up`, which makes the tables',
  });
}
