import type { Storage } from '../index.ts';
import type { TextRule } from './record-kinds.ts';
import type { Ability } from './suite.ts';

/** A text argument of a method that takes no whole record. */
export interface TextArgument {
  readonly argument: string;
  readonly rule: TextRule;
  readonly needs?: Ability;
  readonly call: (storage: Storage, text: string) => Promise<unknown>;
}

const ID: TextRule = { max: 255, filled: true };
const AGENT: TextRule = { max: 128, filled: true };
const WORD: TextRule = { max: 64 };
const ANY_AGENT: TextRule = { max: 128, optional: true };
const ANY_WORD: TextRule = { max: 64, optional: true };

type Call = TextArgument['call'];

function of(argument: string, rule: TextRule, ...calls: readonly Call[]): readonly TextArgument[] {
  return calls.map((call) => ({ argument, rule, call }));
}

const plain: readonly TextArgument[] = [
  ...of(
    'id',
    ID,
    (storage, id) => storage.getSession(id),
    (storage, id) => storage.updateSession({ id, status: 'x' }),
    (storage, id) => storage.updateSessionStatus(id, 'x'),
    (storage, id) => storage.deleteSession(id),
    (storage, id) => storage.deleteMemory(id),
    (storage, id) => storage.getTrace(id),
    (storage, id) => storage.endTrace(id),
    (storage, id) => storage.getCheckpoint(id),
  ),
  ...of(
    'sessionId',
    ID,
    (storage, id) => storage.listAuditLogs(id),
    (storage, id) => storage.listTraces(id),
    (storage, id) => storage.listEvents(id),
    (storage, id) => storage.getLatestCheckpoint(id),
    (storage, id) => storage.listCheckpoints(id),
  ),
  ...of(
    'agentId',
    AGENT,
    (storage, agentId) => storage.getMemory(agentId, 'key'),
    (storage, agentId) => storage.listMemory(agentId),
  ),
  ...of('agentId', ANY_AGENT, (storage, agentId) => storage.listSessions(agentId)),
  ...of('key', { max: 128 }, (storage, key) => storage.getMemory('agent', key)),
  ...of('kind', ANY_WORD, (storage, kind) => storage.listMemory('agent', kind)),
  ...of(
    'status',
    WORD,
    (storage, status) => storage.updateSession({ id: 's', status }),
    (storage, status) => storage.updateSessionStatus('s', status),
  ),
];

const paged: readonly TextArgument[] = [
  ...of(
    'sessionId',
    ID,
    (storage, id) => storage.listAuditLogsPaged(id),
    (storage, id) => storage.listTracesPaged(id),
    (storage, id) => storage.listEventsPaged(id),
    (storage, id) => storage.listCheckpointsPaged(id),
    (storage, id) => storage.iterateAuditLogs(id).next(),
    (storage, id) => storage.iterateTraces(id).next(),
    (storage, id) => storage.iterateEvents(id).next(),
    (storage, id) => storage.iterateCheckpoints(id).next(),
    (storage, id) => storage.lastEvents(id),
    (storage, id) => storage.countEvents(id),
  ),
  ...of(
    'agentId',
    AGENT,
    (storage, agentId) => storage.listMemoryPaged({ agentId }),
    (storage, agentId) => storage.iterateMemory({ agentId }).next(),
  ),
  ...of(
    'agentId',
    ANY_AGENT,
    (storage, agentId) => storage.listSessionsPaged({ agentId }),
    (storage, agentId) => storage.iterateSessions({ agentId }).next(),
  ),
  ...of(
    'kind',
    ANY_WORD,
    (storage, kind) => storage.listMemoryPaged({ agentId: 'agent', kind }),
    (storage, kind) => storage.iterateMemory({ agentId: 'agent', kind }).next(),
  ),
  ...of(
    'status',
    ANY_WORD,
    (storage, status) => storage.listSessionsPaged({ status }),
    (storage, status) => storage.iterateSessions({ status }).next(),
  ),
].map((one) => ({ ...one, needs: 'pages' }));

/** All of them. */
export const TEXT_ARGUMENTS: readonly TextArgument[] = [...plain, ...paged];
