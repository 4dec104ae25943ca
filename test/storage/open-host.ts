import type { StorageTarget } from '../../src/index.ts';
import type { HostTransaction, Transact } from '../conformance/host-transactions.ts';

/** Connections of a host: more than any test needs at once. */
export const MANY = 24;

/** A handle on which nothing was begun. */
export interface Idle extends HostTransaction {
  readonly done: () => Promise<void>;
}

/** A host that has a database open its own way. */
export interface OpenHost {
  readonly transact: Transact;
  /** What the storage opens: the URL, but PGlite has one user at a time. */
  readonly target: StorageTarget;
  /** A handle on which nothing was begun, where there is one. */
  readonly idle?: () => Promise<Idle>;
  /** A pool, or all of a database: no transaction by what it is. */
  readonly whole: object;
  close(): Promise<void>;
}

/** A kind of handle that a host lends. */
export interface HandleKind {
  readonly name: string;
  /** Whether there is one on which nothing was begun. */
  readonly idles: boolean;
  readonly open: (url: string) => Promise<OpenHost>;
}
