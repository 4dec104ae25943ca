import { applyRetention, type Storage } from '../index.ts';
import { event } from './expect.ts';
import { checkpoint } from './records.ts';
import type { Ability } from './suite.ts';

/** A call that can never work, whatever is stored. */
export interface BadCall {
  /** The argument that its error names; absent: any. */
  readonly argument?: string;
  readonly needs?: Ability;
  readonly call: (storage: Storage) => Promise<unknown>;
}

type Bad = readonly [argument: string | undefined, call: BadCall['call']];

function of(needs: Ability | undefined, bads: readonly Bad[]): readonly BadCall[] {
  return bads.map(([argument, call]) => ({
    ...(argument === undefined ? {} : { argument }),
    ...(needs && { needs }),
    call,
  }));
}

const ONE = event({ sessionId: 's' });
const SESSION = { id: 's', agentId: 'a', status: 'x' };

/** Objects that hold something and have no members: none may pass as options, or a filter, that say nothing. */
export const NO_MEMBERS: readonly object[] = [
  new Map([['dryRun', true]]),
  new Set(['dryRun']),
  new Date(),
  Promise.resolve({}),
  new Float32Array(1),
  Buffer.from('{}'),
  /x/,
  Object('x') as object,
  new AbortController().signal,
  new (class Nothing {})(),
  new URLSearchParams('dryRun=true'),
  new Error('dryRun'),
];

/** Objects that throw when they are read. */
export function unreadable(): readonly object[] {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const fail = (): never => {
    throw new TypeError('not our affair');
  };
  const members = [
    ...['id', 'dryRun', 'agentId', 'direction', 'expectedSeq', 'endedAt'],
    ...['maxAge', 'filter', 'allTenants', 'vector'],
  ];
  const getters = Object.fromEntries(members.map((name) => [name, { get: fail, enumerable: true }]));
  return [proxy, Object.create({}, getters) as object];
}

/** Arrays that do not let themselves be read, or hold less than they say. */
export function oddLists(): readonly unknown[] {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  const get = (): never => {
    throw new TypeError('not our affair');
  };
  return [proxy, new Proxy([1], { get }), Array(2), Array(2 ** 32 - 1)];
}

/** A value that JSON.stringify cannot read, nor whoever asks what is wrong with it. */
export function closed(): object {
  const fail = (): never => {
    throw new TypeError('not our affair');
  };
  return new Proxy({}, { ownKeys: fail, get: fail });
}

const writes: readonly Bad[] = [
  ['session', (storage) => storage.createSession(undefined as never)],
  ['session', (storage) => storage.createSession('x' as never)],
  ['session', (storage) => storage.updateSession(null as never)],
  ['status', (storage) => storage.updateSession({ id: 's' } as never)],
  ['options', (storage) => storage.updateSession({ id: 's', status: 'x' }, 7 as never)],
  [
    'ifupdatedAt',
    (storage) => storage.updateSession({ id: 's', status: 'x' }, { ifupdatedAt: new Date() } as never),
  ],
  ['status', (storage) => storage.updateSessionStatus('s', undefined as never)],
  ['event', (storage) => storage.appendEvent(undefined as never)],
  ['event', (storage) => storage.appendEvent([ONE] as never)],
  ['payload', (storage) => storage.appendEvent({ id: 'e', sessionId: 's', seqNum: 1, type: 't' } as never)],
  [undefined, (storage) => storage.putMemory(undefined as never)],
  [undefined, (storage) => storage.putMemory([] as never)],
  ['value', (storage) => storage.putMemory({ id: 'm', agentId: 'a', kind: '', key: '' } as never)],
  [undefined, (storage) => storage.appendAuditLog(undefined as never)],
  [
    'resource',
    (storage) => storage.appendAuditLog({ id: 'l', sessionId: 's', actor: '', action: '' } as never),
  ],
  ['trace', (storage) => storage.insertTrace(undefined as never)],
  ['trace', (storage) => storage.insertTrace([] as never)],
  ['end', (storage) => storage.endTrace('t', 'now' as never)],
  ['end', (storage) => storage.endTrace('t', [] as never)],
  ['checkpoint', (storage) => storage.saveCheckpoint(undefined as never)],
  ['checkpoint', (storage) => storage.saveCheckpoint('c' as never)],
  ['state', (storage) => storage.saveCheckpoint(checkpoint({ state: undefined }))],
  ['checkpoint', (storage) => storage.saveCheckpointAndEvent(null as never)],
  ['event', (storage) => storage.saveCheckpointAndEvent(checkpoint(), 7 as never)],
];

const lists: readonly Bad[] = [
  ['agentId', (storage) => storage.listSessions(7 as never)],
  ['limit', (storage) => storage.listSessions('', '10' as never)],
  ['offset', (storage) => storage.listSessions('', 10, -1)],
  ['offset', (storage) => storage.listSessions('', 10, 1.5)],
  ['offset', (storage) => storage.listSessions('', 10, Number.NaN)],
  ['kind', (storage) => storage.listMemory('agent', 7 as never)],
  ['limit', (storage) => storage.listAuditLogs('s', null as never)],
  ['offset', (storage) => storage.listAuditLogs('s', 10, -1)],
  ['offset', (storage) => storage.listAuditLogs('s', 10, '0' as never)],
  ['afterSeq', (storage) => storage.listEvents('s', 1.5)],
  ['afterSeq', (storage) => storage.listEvents('s', 2 ** 53)],
  ['afterSeq', (storage) => storage.listEvents('s', null as never)],
];

const pages: readonly Bad[] = [
  ['filter', (storage) => storage.listSessionsPaged('a' as never)],
  ['limit', (storage) => storage.listSessionsPaged({}, null as never)],
  ['direction', (storage) => storage.listSessionsPaged({}, 1, '', { direction: 'up' as never })],
  ['filter.agent', (storage) => storage.listSessionsPaged({ agent: 'a' } as never)],
  ['dirction', (storage) => storage.listSessionsPaged({}, 1, '', { dirction: 'forward' } as never)],
  ['filter', (storage) => storage.listMemoryPaged(undefined as never)],
  ['filter.kinds', (storage) => storage.listMemoryPaged({ agentId: 'a', kinds: 'k' } as never)],
  ['filter', (storage) => storage.listMemoryPaged('agent' as never)],
  ['agentId', (storage) => storage.listMemoryPaged({} as never)],
  ['limit', (storage) => storage.listMemoryPaged({ agentId: 'agent' }, '1' as never)],
  ['direction', (storage) => storage.listMemoryPaged({ agentId: 'a' }, 1, '', { direction: '' as never })],
  ['limit', (storage) => storage.listAuditLogsPaged('s', '1' as never)],
  ['options', (storage) => storage.listAuditLogsPaged('s', 1, '', [] as never)],
  ['direction', (storage) => storage.listAuditLogsPaged('s', 1, '', { direction: 'Backward' as never })],
  ['limit', (storage) => storage.listTracesPaged('s', true as never)],
  ['direction', (storage) => storage.listTracesPaged('s', 1, '', { direction: 1 as never })],
  ['limit', (storage) => storage.listCheckpointsPaged('s', '1' as never)],
  ['options', (storage) => storage.listCheckpointsPaged('s', 1, '', null as never)],
  ['afterSeq', (storage) => storage.listEventsPaged('s', '1' as never)],
  ['limit', (storage) => storage.listEventsPaged('s', 0, {} as never)],
  ['options', (storage) => storage.listEventsPaged('s', 0, 1, '', 'backward' as never)],
  ['direction', (storage) => storage.listEventsPaged('s', 0, 1, '', { direction: null as never })],
  ['filter', (storage) => storage.iterateSessions('a' as never).next()],
  ['filter.agentid', (storage) => storage.iterateSessions({ agentid: 'a' } as never).next()],
  ['filter', (storage) => storage.iterateMemory(undefined as never).next()],
  ['afterSeq', (storage) => storage.iterateEvents('s', 1.5).next()],
];

const batches: readonly Bad[] = [
  ['events', (storage) => storage.appendEvents(undefined as never)],
  ['events', (storage) => storage.appendEvents(new Set([ONE]) as never)],
  ['options', (storage) => storage.appendEvents([ONE], 7 as never)],
  ['expectedseq', (storage) => storage.appendEvents([ONE], { expectedseq: 1 } as never)],
  ['traces', (storage) => storage.insertTraces(undefined as never)],
  ['traces', (storage) => storage.insertTraces({} as never)],
  ['traces[0]', (storage) => storage.insertTraces([null] as never)],
];

type With = (storage: Storage, given: object) => Promise<unknown>;

/** A call with each object that can be no options, filter or policy. */
function strange(argument: string | undefined, call: With): readonly Bad[] {
  return [
    ...NO_MEMBERS.map((given): Bad => [argument, (storage) => call(storage, given)]),
    ...throwing(argument, call),
  ];
}

function throwing(argument: string | undefined, call: With): readonly Bad[] {
  return unreadable().map((given) => [argument, (storage) => call(storage, given)]);
}

/** Of every method that may be told something that it cannot take; text arguments stand in `text-arguments`. */
export const BAD_CALLS: readonly BadCall[] = [
  ...of(undefined, [...writes, ...lists]),
  ...of('pages', pages),
  ...of('batches', batches),
  ...of(
    'retention',
    strange(undefined, (storage, given) => storage.trimEvents(new Date(), given)),
  ),
  ...of(
    'retention',
    strange(undefined, (storage, given) => storage.trimCheckpoints('s', 1, given)),
  ),
  ...of(
    'retention',
    strange(undefined, (storage, given) => applyRetention(storage, given, 'all')),
  ),
  ...of(
    'pages',
    strange(undefined, (storage, given) => storage.listSessionsPaged(given)),
  ),
  ...of(
    'pages',
    strange(undefined, (storage, given) => storage.iterateMemory(given as never).next()),
  ),
  ...of(
    'pages',
    strange(undefined, (storage, given) => storage.listEventsPaged('s', 0, 1, '', given)),
  ),
  ...of(
    'batches',
    strange(undefined, (storage, given) => storage.appendEvents([ONE], given)),
  ),
  ...of(
    'batches',
    oddLists().flatMap((list): Bad[] => [
      [undefined, (storage) => storage.appendEvents(list as never)],
      [undefined, (storage) => storage.insertTraces(list as never)],
    ]),
  ),
  ...of(undefined, [
    [undefined, (storage) => storage.createSession({ ...SESSION, metadata: closed() as never })],
    [undefined, (storage) => storage.updateSession({ id: 's', status: 'x', metadata: closed() as never })],
    [undefined, (storage) => storage.appendEvent({ ...ONE, payload: closed() })],
    [undefined, (storage) => storage.endTrace('t', { output: closed() as never })],
    [undefined, (storage) => storage.saveCheckpoint(checkpoint({ state: closed() }))],
  ]),
  ...of(
    undefined,
    throwing('session', (storage, given) => storage.createSession(given as never)),
  ),
  ...of(
    undefined,
    throwing('session', (storage, given) => storage.updateSession(given as never)),
  ),
  ...of(
    undefined,
    throwing('event', (storage, given) => storage.appendEvent(given as never)),
  ),
  ...of(
    undefined,
    throwing('end', (storage, given) => storage.endTrace('t', given)),
  ),
  ...of(
    'batches',
    throwing('traces[0]', (storage, given) => storage.insertTraces([given as never])),
  ),
];
