import type { Umzug } from 'umzug';
import type { Connection } from '../drivers/connection.ts';
import { forbidAborted } from '../drivers/when-free.ts';
import { ClosedError, MigrationError } from '../errors.ts';
import { checkOptions } from './check-options.ts';
import type { MigrationEngine, StepVerbs, Turn } from './engines/engine.ts';
import type { FileSet } from './files.ts';
import type { Granting } from './grants/grant-to.ts';
import { lossLines, notConfirmed } from './losses.ts';
import { forbidPartial, planDown, planUp, type Step } from './plan.ts';
import { reportOf } from './report.ts';
import { Connected, type MigratorTarget, Source } from './source.ts';
import { type State, stateOf } from './state.ts';
import type {
  Applied,
  Direction,
  DoctorReport,
  DownOptions,
  LogEntry,
  Migrator,
  MigratorOptions,
  PlannedStep,
  Report,
  UpOptions,
  UpReport,
  VerifyOptions,
  VerifyReport,
} from './types.ts';

type UmzugModule = typeof import('umzug');

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

/** `up` and `down` as: look without the lock, then take it for each migration, look again, and do the next one. */
class EngineMigrator implements Migrator {
  readonly #source: Source;
  readonly #options: MigratorOptions;
  readonly #running = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(source: Source, options: MigratorOptions) {
    this.#source = source;
    this.#options = options;
  }

  up(options: UpOptions = {}): Promise<UpReport> {
    return this.#tracked(() => this.#up(options));
  }

  down(options: DownOptions = {}): Promise<Report> {
    return this.#tracked(() => this.#down(options));
  }

  status(): Promise<Report> {
    return this.#tracked(() => this.#report([]));
  }

  history(): Promise<readonly LogEntry[]> {
    return this.#tracked(async () => (await this.#source.read()).engine.log());
  }

  plan(options: UpOptions = {}): Promise<readonly PlannedStep[]> {
    return this.#tracked(() => this.#plan(options));
  }

  verify(options: VerifyOptions = {}): Promise<VerifyReport> {
    return this.#tracked(async () => {
      const { verify } = await import('./verify.ts');
      return verify(await this.#source.read(), this.#schema, options);
    });
  }

  doctor(): Promise<DoctorReport> {
    return this.#tracked(async () => {
      const { doctor } = await import('./doctor.ts');
      return this.#source.asIs((engine) => doctor(engine, this.#schema));
    });
  }

  /** Waits for what runs: closed under it, a migration that was committed would look as if it had failed. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#running).then(() => this.#source.close());
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

  async #up(options: UpOptions): Promise<UpReport> {
    const { engine, files } = await this.#source.read();
    const granting = await this.#granting(engine, options.grantTo);
    const state = stateOf(await engine.log());
    const steps = planUp(files, state, options);
    if (options.dryRun === true) {
      const grants = granting?.statements([...state.inForce.keys(), ...steps.map(idOf)]);
      const planned = steps.map((step) => plannedStep(engine, step));
      return { ...reportOf(engine, files, state, []), steps: planned, ...(grants && { grants }) };
    }
    const report = {
      ...(steps.length === 0 ? reportOf(engine, files, state, []) : await this.#apply(files, steps)),
      steps: [],
    };
    const grants = granting?.statements(report.current);
    if (grants !== undefined) await granting?.run(grants);
    return { ...report, ...(grants && { grants }) };
  }

  async #apply(files: FileSet, steps: readonly Step[]): Promise<Report> {
    const to = steps.at(-1)?.migration.id ?? '';
    return this.#report(await this.#work(files, 'up', (now) => planUp(files, now, { to })[0]));
  }

  /** Looked up before anything is touched: a role that is not there must stop the whole. */
  async #granting(engine: MigrationEngine, role: string | undefined): Promise<Granting | undefined> {
    if (role === undefined) return undefined;
    const { granting } = await import('./grants/grant-to.ts');
    return granting(engine, this.#schema, role);
  }

  get #schema(): string {
    return this.#options.schema ?? 'chronos';
  }

  async #down(options: DownOptions): Promise<Report> {
    const { engine, files, namespace } = await this.#source.read();
    const state = stateOf(await engine.log());
    const steps = planDown(files, state, namespace, options);
    if (steps.length === 0) return reportOf(engine, files, state, []);
    const lines = await lossLines(engine, steps);
    if (options.yes !== true) throw notConfirmed(steps, lines);
    for (const message of lines) this.#options.onProgress?.({ kind: 'warning', message });
    const agreed = new Set(steps.map((step) => step.migration.id));
    const next = (now: State) => nextDown(files, now, namespace, agreed);
    return this.#report(await this.#work(files, 'down', next), lines);
  }

  async #plan(options: UpOptions): Promise<readonly PlannedStep[]> {
    const { engine, files } = await this.#source.read();
    const steps = planUp(files, stateOf(await engine.log()), options);
    return steps.map((step) => plannedStep(engine, step));
  }

  async #report(applied: readonly Applied[], findings: readonly string[] = []): Promise<Report> {
    const { engine, files } = await this.#source.read();
    return reportOf(engine, files, stateOf(await engine.log()), applied, findings);
  }

  /** Takes the lock for one step at a time until `next` has none; others may do some of them meanwhile. */
  async #work(
    files: FileSet,
    direction: Direction,
    next: (state: State) => Step | undefined,
  ): Promise<readonly Applied[]> {
    const engine = await this.#source.write();
    const applied: Applied[] = [];
    for (;;) {
      forbidAborted(this.#options.signal);
      const done = await engine.locked((turn) => this.#turn(engine, files, turn, next));
      if (done === undefined) return applied;
      applied.push(done);
      this.#options.onProgress?.({ kind: 'applied', direction, id: done.id, ms: done.ms });
    }
  }

  async #turn(
    engine: MigrationEngine,
    files: FileSet,
    turn: Turn,
    next: (state: State) => Step | undefined,
  ): Promise<Applied | undefined> {
    const rows = await turn.log();
    const state = stateOf(rows);
    const step = next(state);
    if (step === undefined) return undefined;
    if (rows.length === 0 && (await turn.tablesExist())) throw logLost(step);
    const { direction, migration } = step;
    forbidPartial(state.partial, step, engine.rerunnable(migration));
    this.#options.onProgress?.({ kind: 'started', id: migration.id, direction });
    const startedAt = performance.now();
    // Here, not before: of many that start at once most find nothing left to do, and loading it is half of a start.
    const umzug = await import('umzug');
    await turn.apply(step, (verbs) => runStep(umzug, files, state, step, verbs));
    return { id: migration.id, direction, ms: Math.round(performance.now() - startedAt) };
  }
}

/** The log has a row before the first table is made, or in the same transaction: without rows it was lost. */
function logLost({ migration: { id } }: Step): MigrationError {
  const message = 'the tables of chronos are there, but chronos_migration_log has no rows: nothing was run';
  return new MigrationError(message, {
    reason: 'MIGRATION_MISSING',
    migration: id,
    hint: 'put the rows of chronos_migration_log back from a backup, or one row for each migration that was applied',
  });
}

/** The newest migration that was agreed to be reverted; what came on top of it meanwhile was not agreed to. */
function nextDown(
  files: FileSet,
  state: State,
  namespace: string,
  agreed: ReadonlySet<string>,
): Step | undefined {
  const left = [...state.inForce.keys()].filter((id) => agreed.has(id)).length;
  if (left === 0) return undefined;
  const [step] = planDown(files, state, namespace, { step: left });
  if (step === undefined || agreed.has(step.migration.id)) return step;
  const message = `${step.migration.id} was applied by another process meanwhile`;
  throw new MigrationError(message, {
    reason: 'OUT_OF_ORDER',
    migration: step.migration.id,
    hint: 'look at the plan again and repeat',
  });
}

/** Has umzug run one step of the whole list, with a storage that writes our log. */
async function runStep(
  { MigrationError: UmzugError, Umzug: Runner }: UmzugModule,
  files: FileSet,
  state: State,
  step: Step,
  verbs: StepVerbs,
): Promise<void> {
  const { id } = step.migration;
  const executed = [...state.inForce.keys()].filter((each) => each !== id || step.direction === 'down');
  const umzug: Umzug = new Runner({
    migrations: files.all.map((file) => ({ name: file.id, up: verbs.run, down: verbs.run })),
    storage: {
      executed: async () => executed,
      logMigration: verbs.succeeded,
      unlogMigration: verbs.succeeded,
    },
    logger: undefined,
  });
  try {
    await umzug[step.direction]({ migrations: [id] });
  } catch (error) {
    throw error instanceof UmzugError ? error.cause : error;
  }
}

function idOf(step: Step): string {
  return step.migration.id;
}

function plannedStep(engine: MigrationEngine, step: Step): PlannedStep {
  return { id: step.migration.id, direction: step.direction, sql: engine.sql(step) };
}
