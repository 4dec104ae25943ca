import type { WaitOptions } from './when-free.ts';

/** How a connection is opened. Times in milliseconds. */
export interface OpenOptions {
  readonly pool?: {
    /** Connections at most. Default 10. */
    readonly max?: number;
    /** An idle connection is closed after this. Default 30 000. */
    readonly idleTimeout?: number;
    /** How long a call waits for a free connection, then UnavailableError POOL_EXHAUSTED. Default 10 000. */
    readonly acquireTimeout?: number;
  };
  /** Bound on connecting, TLS and login included. Default 10 000. */
  readonly connectTimeout?: number;
  /** Bound on each statement: Postgres, MariaDB and MySQL only. Default none. */
  readonly statementTimeout?: number;
  /** Named prepared statements: `auto` gives them up when a pooler refuses them. Default `auto`. */
  readonly prepare?: 'auto' | boolean;
  /** SQLite only. Default `full`: a write is on disk when its promise resolves. */
  readonly synchronous?: 'full' | 'normal';
  /** SQLite only: opens an existing file without setting it up. Default false. */
  readonly asIs?: boolean;
  /** What the server shows for our sessions. Default `chronos-storage`. */
  readonly applicationName?: string;
  /** How to wait for a PGlite folder that another process has. Default: as long as for a connection. */
  readonly folderWait?: WaitOptions;
  /** PEM texts for TLS. */
  readonly ssl?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Told after each statement; never values. */
  readonly onStatement?: (seen: StatementSeen) => void;
  /** Told of a parameter of the URL that is not known, and the like. Default: nothing. */
  readonly onWarning?: (message: string) => void;
}

/** One statement that ran. */
export interface StatementSeen {
  readonly name: string;
  readonly ms: number;
  /** Rows read, or rows changed. */
  readonly rows: number;
  /** A search of vectors: how it went through the rows, `exact`, `hnsw`, `halfvec` or `binary`. */
  readonly way?: string;
  readonly error?: Error;
}

/** A target by its parts. */
export interface Config {
  readonly backend: 'sqlite' | 'postgres' | 'mysql' | 'mariadb' | 'pglite';
  /** URL, or for sqlite and pglite also a bare path; `:memory:` / `memory` likewise. */
  readonly dsn: string;
  /** `openVectorStore`: what keeps the vectors. Default: what the URL says. */
  readonly vectorBackend?: 'pgvector' | 'sqlite-vec';
  /** `openVectorStore`: their URL, or for sqlite-vec also a path. Default: `dsn`. */
  readonly vectorDsn?: string;
}
