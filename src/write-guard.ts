import type { Connection } from './drivers/connection.ts';

/** Looks once, before the first write, whether a newer version has changed the database for good. */
export class WriteGuard {
  readonly #connection: Connection;
  readonly #schema: string;
  #checking: Promise<void> | undefined;
  /** Whether writing is known to be safe. */
  passed = false;

  constructor(connection: Connection, schema: string) {
    this.#connection = connection;
    this.#schema = schema;
  }

  /** Rejects with SchemaTooNewError, each time; what kept it from looking leaves the next one free to look again. */
  check(): Promise<void> {
    this.#checking ??= this.#look().catch((error: unknown) => {
      this.#checking = undefined;
      throw error;
    });
    return this.#checking;
  }

  async #look(): Promise<void> {
    const { forbidNewer } = await import('./migrate/operations/newer.ts');
    await forbidNewer(this.#connection, this.#schema);
    this.passed = true;
  }
}

/** What comes before a write; nothing inside a transaction, whose connection may be the only one there is. */
export function beforeWrite({
  inside,
  guard,
}: {
  readonly inside: boolean;
  readonly guard: WriteGuard;
}): (() => Promise<void>) | undefined {
  return inside || guard.passed ? undefined : () => guard.check();
}
