import type { Connection } from '../drivers/connection.ts';
import { ClosedError } from '../errors.ts';
import { checkOptions } from './check-options.ts';
import { type Context, reportNow, schemaOf } from './operations/context.ts';
import { plan, up } from './operations/up.ts';
import { Connected, type MigratorTarget, Source } from './source.ts';
import type {
  BaselineOptions,
  BaselineReport,
  DoctorReport,
  DownOptions,
  LogEntry,
  Migrator,
  MigratorOptions,
  PlannedStep,
  RedoOptions,
  RepairOptions,
  Report,
  UnlockOptions,
  UnlockReport,
  UpOptions,
  UpReport,
  VerifyOptions,
  VerifyReport,
  WaitOptions,
} from './types.ts';

/**
 * A migrator for a URL, a path of a SQLite file, a {@link Config}, or what a host has open (pg Pool, mysql2 pool,
 * better-sqlite3 Database, PGlite). Nothing is loaded or connected before the first call; `close` ends what
 * was opened here and leaves what a host lent.
 *
 * @throws InvalidArgumentError USAGE for an option that can never work.
 * @example
 * ```ts
 * const migrator = createMigrator('sqlite:./chronos.db');
 * try {
 *   const { applied } = await migrator.up();
 *   console.log(applied.map(({ id }) => id));
 * } finally {
 *   await migrator.close();
 * }
 * ```
 */
export function createMigrator(target: MigratorTarget, options: MigratorOptions = {}): Migrator {
  checkOptions(options);
  return new EngineMigrator(new Source(target, options), options);
}

/** A migrator on a connection that is open already and stays so: what `storage.migrate()` uses. */
export function migratorOn(connection: Connection, options: MigratorOptions = {}): Migrator {
  checkOptions(options);
  return new EngineMigrator(new Source(new Connected(connection), options), options);
}

/** Every operation on one source, loaded when it is asked for but the two that start a service; `close` waits for those that run. */
class EngineMigrator implements Migrator {
  readonly #context: Context;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(source: Source, options: MigratorOptions) {
    this.#context = { source, options };
  }

  up(options: UpOptions = {}): Promise<UpReport> {
    return this.#tracked(() => up(this.#context, options));
  }

  down(options: DownOptions = {}): Promise<Report> {
    return this.#tracked(async () => (await import('./operations/down.ts')).down(this.#context, options));
  }

  status(): Promise<Report> {
    return this.#tracked(() => reportNow(this.#context));
  }

  history(): Promise<readonly LogEntry[]> {
    return this.#tracked(async () => (await this.#context.source.read()).engine.log());
  }

  plan(options: UpOptions = {}): Promise<readonly PlannedStep[]> {
    return this.#tracked(() => plan(this.#context, options));
  }

  redo(options: RedoOptions = {}): Promise<Report> {
    return this.#tracked(async () => (await import('./operations/down.ts')).redo(this.#context, options));
  }

  baseline(options: BaselineOptions): Promise<BaselineReport> {
    return this.#tracked(async () =>
      (await import('./operations/baseline.ts')).baseline(this.#context, options),
    );
  }

  repair(options: RepairOptions): Promise<Report> {
    return this.#tracked(async () => (await import('./operations/repair.ts')).repair(this.#context, options));
  }

  unlock(options: UnlockOptions = {}): Promise<UnlockReport> {
    return this.#tracked(async () => (await import('./operations/unlock.ts')).unlock(this.#context, options));
  }

  wait(options: WaitOptions = {}): Promise<Report> {
    return this.#tracked(async () => (await import('./operations/wait.ts')).wait(this.#context, options));
  }

  verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    return this.#tracked(async () => {
      const { verify } = await import('./operations/verify.ts');
      return verify(await this.#context.source.read(), schemaOf(this.#context), options);
    });
  }

  doctor(): Promise<DoctorReport> {
    return this.#tracked(async () => {
      const { doctor } = await import('./operations/doctor.ts');
      return this.#context.source.asIs((engine) => doctor(engine, schemaOf(this.#context)));
    });
  }

  /** Waits for what runs: closed under it, a migration that was committed would look as if it had failed. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#running).then(() => this.#context.source.close());
    return this.#closing;
  }

  async #tracked<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new ClosedError('the migrator');
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}
