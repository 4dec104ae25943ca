import type { Dialect } from '../sql/dialect.ts';

/** What every repository stands on. */
export interface Backing {
  readonly dialect: Dialect;
  /** Greatest size of a row in bytes. */
  readonly maxBytes: number;
}

/** `make(dialect)` once for each dialect: a repository's statements. */
export function perDialect<T>(make: (dialect: Dialect) => T): (dialect: Dialect) => T {
  const made = new WeakMap<Dialect, T>();
  return (dialect) => {
    let statements = made.get(dialect);
    if (statements === undefined) {
      statements = make(dialect);
      made.set(dialect, statements);
    }
    return statements;
  };
}
