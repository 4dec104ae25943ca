import { expect } from 'vitest';
import { applyRetention, ChronosError, type Storage, withTenant } from '../../src/index.ts';
import type { Call, Step, Transaction } from './commands.ts';
import type { Model, ModelCall, Outcome } from './model.ts';
import type { Arguments, Seen } from './modelled.ts';
import { resolved } from './symbols.ts';

/** What an error carries beside its code that the contract names. */
const FACTS = ['record', 'id', 'argument', 'expectedSeq', 'actualSeq'] as const;

function factsOf(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof ChronosError)) throw error;
  const facts: Record<string, unknown> = { code: error.code };
  for (const name of FACTS) {
    const value: unknown = Reflect.get(error, name);
    if (value !== undefined) facts[name] = value;
  }
  return facts;
}

/** All that an iterator gives; anything else as it is. */
async function whole(answer: unknown): Promise<unknown> {
  if (typeof answer !== 'object' || answer === null || !(Symbol.asyncIterator in answer)) return answer;
  const all: unknown[] = [];
  for await (const one of answer as AsyncIterable<unknown>) all.push(one);
  return all;
}

function send(storage: Storage, { method, args }: ModelCall): unknown {
  if (method === 'applyRetention') {
    return applyRetention(storage, ...(args as Arguments<'applyRetention'>));
  }
  const call = storage[method] as (...args: readonly unknown[]) => unknown;
  return call.apply(storage, [...args]);
}

async function outcomeOf(storage: Storage, call: ModelCall): Promise<Outcome> {
  const { tenantId, bound } = call;
  try {
    // A bound storage heeds no context. What an iterator gives is read outside the one that it was made in.
    const answer = bound
      ? withTenant('another', () => send(storage.forTenant(tenantId), call))
      : withTenant(tenantId, () => send(storage, call));
    return { value: await whole(await answer) };
  } catch (error) {
    return { error: factsOf(error) };
  }
}

/** One call on both: they must answer alike. */
async function runCall(storage: Storage, model: Model, { tenant, bound, method, args }: Call): Promise<void> {
  const tenantId = model.tenantIds[tenant]!;
  const call = { tenantId, bound, method, args: resolved(model, tenantId, method, args) };
  const before = Date.now();
  const outcome = await outcomeOf(storage, call);
  const seen: Seen = { before, after: Date.now(), value: 'value' in outcome ? outcome.value : undefined };
  expect(outcome, method).toStrictEqual(model.call(call, seen));
}

const ROLLED_BACK = new Error('rolled back on purpose');

async function runTransaction(storage: Storage, model: Model, { steps, end }: Transaction): Promise<void> {
  const undo = model.snapshot();
  const done = storage.transaction(async (tx) => {
    await expect(storage.forTenant('any').countEvents('s')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await runSteps(tx, model, steps);
    if (end === 'roll back') throw ROLLED_BACK;
  });
  await done.catch((error: unknown) => {
    if (error !== ROLLED_BACK) throw error;
    undo();
  });
}

/** Steps one after the other, on both. */
export async function runSteps(storage: Storage, model: Model, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    if ('steps' in step) await runTransaction(storage, model, step);
    else await runCall(storage, model, step);
  }
}
