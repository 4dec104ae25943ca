import type { Storage } from '../index.ts';

/** What a backend may lack. */
export type Ability = 'transactions' | 'batches' | 'pages' | 'retention' | 'order';

/** How a case wants its storage. */
export interface OpenRequest {
  /** Calls without a tenant are refused. Default false. */
  readonly requireTenant?: boolean;
  /** The case closes or migrates the storage itself: nobody else may use it, nor is it inside a transaction. Default false. */
  readonly own?: boolean;
  /** The storage takes its tenant from the context: it is not made by `forTenant`. Default false. */
  readonly unbound?: boolean;
}

/** A storage for one case, and what ends it. */
export interface Opened {
  readonly storage: Storage;
  close(): Promise<void>;
}

/** What the suite is given: a test runner's two words, and the backend. */
export interface Conformance {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
  /** A storage on a migrated database. It may hold rows of earlier cases: each case runs in a tenant of its own. */
  readonly open: (request?: OpenRequest) => Promise<Opened>;
  /** `true`, or the reason why not. */
  readonly supports: Readonly<Record<Ability, true | string>>;
}

/** Declares one case. */
export type Case = (name: string, body: (storage: Storage) => Promise<void>, request?: OpenRequest) => void;

/** One topic: declares its cases. */
export interface Topic {
  readonly needs?: Ability;
  readonly cases: (test: Case, supports: Conformance['supports']) => void;
}
