import fc, { type Arbitrary } from 'fast-check';
import type {
  MemoryFilter,
  NewEvent,
  PageOptions,
  RetentionPolicy,
  SessionFilter,
  TraceEnd,
  TrimByAgeOptions,
  TrimOptions,
  TrimSessionsOptions,
} from '../../src/index.ts';
import type { Arguments } from './modelled.ts';
import { GAPS, SESSIONS } from './pools.ts';
import * as records from './records.ts';
import { ageOf, cursorFrom, HEAD, STORED } from './symbols.ts';

/** Any of the keys may be absent. */
const sparse: { noNullPrototype: true; requiredKeys: [] } = { noNullPrototype: true, requiredKeys: [] };

export function maybe<T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

export function orEmpty(text: Arbitrary<string>): Arbitrary<string> {
  return fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: fc.constant('') });
}

export const limit: Arbitrary<number | undefined> = fc.constantFrom(1, 2, 3, 0, undefined);
export const offset: Arbitrary<number | undefined> = fc.constantFrom(undefined, 0, 1, 2, -1);
const cursor: Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  { weight: 8, arbitrary: fc.nat(2).map((back) => cursorFrom('own', back)) },
  { weight: 1, arbitrary: fc.nat(3).map((back) => cursorFrom('any', back)) },
  { weight: 1, arbitrary: fc.nat(3).map((back) => cursorFrom('damaged', back)) },
);
export const direction: Arbitrary<PageOptions | undefined> = fc.constantFrom<PageOptions | undefined>(
  undefined,
  { direction: 'forward' },
  { direction: 'backward' },
);

/** The last arguments of every paged method. */
export const pageTail = [fc.constantFrom(1, 1, 2, 3, undefined), cursor, direction] as const;

export const sessionFilter: Arbitrary<SessionFilter> = fc.record(
  { agentId: orEmpty(records.agentId), status: orEmpty(records.status) },
  sparse,
);
export const memoryFilter: Arbitrary<MemoryFilter> = fc.record(
  { agentId: records.agentId, kind: orEmpty(records.kind) },
  { ...sparse, requiredKeys: ['agentId'] },
);

const pace = { batchSize: fc.integer({ min: 1, max: 3 }), dryRun: fc.boolean() };
export const trim: Arbitrary<TrimOptions> = fc.record(pace, sparse);
export const trimByAge: Arbitrary<TrimByAgeOptions> = fc.record(
  { ...pace, allTenants: fc.boolean() },
  sparse,
);
export const trimSessions: Arbitrary<TrimSessionsOptions> = fc.record(
  { ...pace, allTenants: fc.boolean(), status: orEmpty(records.status) },
  sparse,
);

export const updateOptions: Arbitrary<Arguments<'updateSession'>[1]> = fc.oneof(
  fc.constant(undefined),
  fc.constant({ ifUpdatedAt: STORED }),
  records.moment.map((ifUpdatedAt) => ({ ifUpdatedAt })),
);

export const end: Arbitrary<TraceEnd> = fc.record(
  { endedAt: records.moment, output: records.json, error: fc.constantFrom('', 'why') },
  { ...sparse, requiredKeys: ['endedAt'] },
);

function several(one: Arbitrary<NewEvent>): Arbitrary<NewEvent[]> {
  return fc.array(one, { maxLength: 6, size: 'max' });
}

const ofOneSession: Arbitrary<NewEvent[]> = fc
  .tuple(records.sessionId, several(records.unplacedEvent))
  .map(([sessionId, events]) => events.map((event) => ({ ...event, sessionId })));
const expected = fc.constantFrom(HEAD, HEAD, HEAD, 0, 1, 2, -1).map((expectedSeq) => ({ expectedSeq }));

export const batch: Arbitrary<Arguments<'appendEvents'>> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(several(records.unplacedEvent)) },
  { weight: 6, arbitrary: fc.tuple(ofOneSession, expected) },
  { weight: 5, arbitrary: fc.tuple(several(records.placedEvent)) },
  { weight: 1, arbitrary: fc.tuple(several(records.event)) },
  { weight: 1, arbitrary: fc.tuple(several(records.event), expected) },
);

const policy: Arbitrary<RetentionPolicy> = fc.record(
  { maxAge: fc.constantFrom(...GAPS.map(ageOf)), keepCheckpointsPerSession: fc.integer({ min: 0, max: 2 }) },
  sparse,
);
const whose: Arbitrary<readonly string[] | 'all' | null> = fc.oneof(
  fc.subarray([...SESSIONS]),
  fc.constant('all' as const),
  fc.constant(null),
);
export const retention: Arbitrary<Arguments<'applyRetention'>> = fc.tuple(policy, whose, trim);
