import fc, { type Arbitrary } from 'fast-check';
import { direction, maybe } from './argument-lists.ts';
import { CALLS, HEADS, type Paged, TENANTS, WRITES } from './calls.ts';
import type { Method } from './modelled.ts';
import { LATEST } from './pools.ts';
import { cursorFrom } from './symbols.ts';

/** One call of a method, by one of the tenants. */
export interface Call {
  readonly tenant: number;
  /** Through `forTenant`; else through `withTenant`. */
  readonly bound: boolean;
  readonly method: Method;
  readonly args: readonly unknown[];
}

/** Several steps as one transaction, or as a savepoint inside one. */
export interface Transaction {
  readonly steps: readonly Step[];
  readonly end: 'commit' | 'roll back';
}

export type Step = Call | Transaction;

/** The first is busier: what leaks from it meets little of the other's own. */
const tenant: Arbitrary<number> = fc.constantFrom(0, 0, TENANTS - 1);

function callOf(names: readonly Method[]): Arbitrary<Call> {
  return fc.oneof(
    ...names.map((method) => {
      const [weight, args]: readonly [number, Arbitrary<readonly unknown[]>] = CALLS[method];
      const arbitrary = fc
        .tuple(tenant, fc.boolean(), args)
        .map(([whose, bound, list]): Call => ({ tenant: whose, bound, method, args: list }));
      return { weight, arbitrary };
    }),
  );
}

const size = fc.integer({ min: 1, max: 3 });
const write: Arbitrary<Call> = callOf(Object.keys(WRITES) as Method[]);
const between = fc.array(maybe(write), { minLength: 1, maxLength: 4, size: 'max' });
const call: Arbitrary<Call> = callOf(Object.keys(CALLS) as Method[]);

function transactionOf(step: Arbitrary<Step>): Arbitrary<Step> {
  return fc.record(
    {
      steps: fc.array(step, { maxLength: 8, size: 'max' }),
      end: fc.constantFrom('commit', 'commit', 'roll back'),
    },
    { noNullPrototype: true },
  );
}

function callOr(transaction: Arbitrary<Step>): Arbitrary<Step> {
  return fc.oneof({ weight: 20, arbitrary: call }, { weight: 1, arbitrary: transaction });
}

/** A page, and some that follow it, with writes between them. */
const walk: Arbitrary<Step[]> = fc
  .constantFrom(...(Object.keys(HEADS) as Paged[]))
  .chain((method) => fc.tuple(fc.constant(method), HEADS[method], tenant, size, direction, between))
  .map(([method, head, tenant, limit, options, writes]) => {
    const page = (cursor: string): Call => {
      return { tenant, bound: true, method, args: [...head, limit, cursor, options] };
    };
    const more = page(cursorFrom('own', 0));
    return [page(''), ...writes.flatMap((one) => (one === undefined ? [more] : [one, more]))];
  });

const alone = (step: Step): Step[] => [step];
const mixed: Arbitrary<Step[]> = fc.oneof(
  { weight: 14, arbitrary: call.map(alone) },
  { weight: 2, arbitrary: walk },
  { weight: 1, arbitrary: transactionOf(callOr(transactionOf(call))).map(alone) },
);

/** Some writes, then calls of two tenants in any order, some of them in transactions and savepoints. */
export const steps: Arbitrary<Step[]> = fc
  .tuple(fc.array(write, { maxLength: 60, size: 'max' }), fc.array(mixed, { maxLength: 60, size: 'max' }))
  .map(([first, then]) => [...first, ...then.flat()]);

const TRIMS = ['trimSessions', 'trimEvents', 'trimTraces', 'trimAuditLogs'] as const;

/** What a trim of nearly all would take from each tenant: nothing of the other's. */
export const dryRuns: readonly Step[] = Array.from({ length: TENANTS }, (_, whose) =>
  TRIMS.map((method): Call => {
    return { tenant: whose, bound: true, method, args: [new Date(LATEST), { dryRun: true }] };
  }),
).flat();
