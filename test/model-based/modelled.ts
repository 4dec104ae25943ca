import type {
  AuditLog,
  applyRetention,
  Checkpoint,
  Event,
  MemoryRecord,
  Session,
  Storage,
  Trace,
} from '../../src/index.ts';

/** What is about the connection, not about what is stored. */
type Plumbing = 'vectors' | 'forTenant' | 'transaction' | 'using' | 'ping' | 'migrate' | 'close';

/** The methods that the model must have: a new one of the storage does not compile until it is modelled. */
export type Method = Exclude<keyof Storage, Plumbing> | 'applyRetention';

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never;

/** The arguments of a method; those of `applyRetention` without its storage. */
export type Arguments<M extends Method> = M extends keyof Storage
  ? Parameters<Storage[M]>
  : Tail<Parameters<typeof applyRetention>>;

type Answer<M extends Method> = M extends keyof Storage
  ? ReturnType<Storage[M]>
  : ReturnType<typeof applyRetention>;

/** What a method resolves to; all that an iterator gives, as a list. */
export type Result<M extends Method> =
  Answer<M> extends AsyncIterableIterator<infer One> ? One[] : Awaited<Answer<M>>;

/** Methods as they behave on the model. */
export type Rules<M extends Method> = {
  readonly [Name in M]: (at: Place, ...args: Arguments<Name>) => Result<Name>;
};

/** All that a tenant has, by id; records are replaced, never changed. */
export interface TenantState {
  readonly sessions: Map<string, Session>;
  readonly memory: Map<string, MemoryRecord>;
  readonly auditLogs: Map<string, AuditLog>;
  readonly traces: Map<string, Trace>;
  readonly events: Map<string, Event>;
  readonly checkpoints: Map<string, Checkpoint>;
  /** The last place that the store gave out, by session. */
  readonly heads: Map<string, number>;
}

/** A cursor that the store gave: which method takes it back, and the position that it stands for. */
export interface KnownCursor {
  readonly method: string;
  readonly direction: 'forward' | 'backward';
  readonly position: Position;
}

/** A place in an order. */
export interface Position {
  readonly at: number;
  readonly id: string;
}

/** What the store answered: the contract leaves the exact moment and the text of a cursor to it. */
export interface Seen {
  /** Milliseconds on the clock before the call, and after it. */
  readonly before: number;
  readonly after: number;
  readonly value: unknown;
}

/** Where a rule runs. */
export interface Place {
  readonly tenantId: string;
  readonly state: TenantState;
  /** Whether the call went through `forTenant`; else through `withTenant`. */
  readonly bound: boolean;
  readonly everyone: readonly TenantState[];
  readonly cursors: Map<string, KnownCursor>;
  readonly seen: Seen;
}

/** A refusal: the code of the error and its facts. */
export class Refusal extends Error {
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(code: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.facts = { code, ...facts };
  }
}

/** A tenant that has nothing. */
export function nothing(): TenantState {
  return {
    sessions: new Map(),
    memory: new Map(),
    auditLogs: new Map(),
    traces: new Map(),
    events: new Map(),
    checkpoints: new Map(),
    heads: new Map(),
  };
}

/** The moment that a call gave: the model cannot know which now the store took for a missing one. */
export function told(moment: Date | undefined): Date {
  if (!moment) throw new Error('calls on the model give their moments');
  return moment;
}

/** A place as it is stored: −0 is 0. */
export function whole(place: number): number {
  return place === 0 ? 0 : place;
}
