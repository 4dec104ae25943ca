import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../drivers/connection.ts';
import type { HostHandle } from '../drivers/handles.ts';
import type { Config, OpenOptions } from '../drivers/options.ts';
import { describeTarget, parseTarget, type Target } from '../drivers/target.ts';
import { ClosedError } from '../errors.ts';
import { languageOf } from '../sql/dialect-name.ts';
import { absentEngine } from './engines/absent.ts';
import type { EngineOptions, MigrationEngine } from './engines/engine.ts';
import { builtIn, type FileSet, hostFiles, OURS } from './files.ts';
import type { MigratorOptions, UnlockReport } from './types.ts';

/** What a migrator may be given: a URL, a path of a SQLite file, a Config, or what a host has open. */
export type MigratorTarget = string | Config | HostHandle;

/** A database and the files that belong to it. */
export interface Opened {
  readonly engine: MigrationEngine;
  readonly files: FileSet;
  /** The namespace that `down` acts on. */
  readonly namespace: string;
}

/** A connection that is open already, and whose owner closes it. */
export class Connected {
  readonly connection: Connection;

  constructor(connection: Connection) {
    this.connection = connection;
  }
}

/** Where a migrator's engine comes from; nothing is loaded or connected before the first call. */
export class Source {
  readonly #target: MigratorTarget | Connected;
  readonly #options: MigratorOptions;
  #opening: Promise<MigrationEngine> | undefined;
  #closed = false;

  constructor(target: MigratorTarget | Connected, options: MigratorOptions) {
    this.#target = target;
    this.#options = options;
  }

  /** Opens without creating: a file or folder that is not there stays so. */
  async read(): Promise<Opened> {
    if (this.#closed) throw new ClosedError('the migrator');
    const engine = (this.#opening === undefined ? this.#absent() : undefined) ?? (await this.write());
    const language = languageOf(engine.dialectName);
    const { dir, namespace = 'app' } = this.#options;
    const ours = await builtIn(language);
    if (dir === undefined) return { engine, files: { all: ours, namespaces: [OURS] }, namespace: OURS };
    const all = [...ours, ...(await hostFiles(dir, namespace, language))];
    return { engine, files: { all, namespaces: [OURS, namespace] }, namespace };
  }

  /** Gives `work` the database without changing it: a SQLite file is not set up, which would mend what is looked for. */
  async asIs<T>(work: (engine: MigrationEngine) => Promise<T>): Promise<T> {
    if (this.#closed) throw new ClosedError('the migrator');
    const target = this.#parsed();
    if (target?.kind !== 'sqlite' || target.path === ':memory:' || !existsSync(target.path)) {
      return work((await this.read()).engine);
    }
    const { openConnection } = await import('../drivers/open.ts');
    const own = await this.#engine(
      await openConnection({ backend: 'sqlite', dsn: target.path }, { ...this.#openOptions(), asIs: true }),
    );
    try {
      return await work(own);
    } finally {
      await own.close();
    }
  }

  /** Opens, and creates a file or folder that is not there. A failed try leaves the next one free. */
  write(): Promise<MigrationEngine> {
    if (this.#closed) return Promise.reject(new ClosedError('the migrator'));
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /**
   * Who has a folder of PGlite, which cannot be opened meanwhile; with `force` the lock of one whose process is not
   * seen to live is taken away. undefined = another engine, or one that is open here.
   */
  async folder(force: boolean): Promise<UnlockReport | undefined> {
    const target = this.#opening === undefined ? this.#parsed() : undefined;
    if (target?.kind !== 'pglite' || target.dir === undefined) return undefined;
    const { folderHolder, forceFolder } = await import('../drivers/folder-lock.ts');
    const place = { engine: 'pglite', target: describeTarget(target) };
    const holder = (await folderHolder(target.dir)) ?? null;
    if (holder === null || !force) return { ...place, holder, ended: false };
    await forceFolder(target.dir);
    return { ...place, holder, ended: true };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const engine = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    if (!(this.#target instanceof Connected)) await engine?.close();
  }

  #absent(): MigrationEngine | undefined {
    const target = this.#parsed();
    if (target?.kind === 'sqlite' && target.path !== ':memory:' && !existsSync(target.path)) {
      return absentEngine('sqlite', describeTarget(target));
    }
    if (
      target?.kind === 'pglite' &&
      target.dir !== undefined &&
      !existsSync(join(target.dir, 'PG_VERSION'))
    ) {
      return absentEngine('pglite', describeTarget(target), this.#engineOptions().schema);
    }
    return undefined;
  }

  #parsed(): Target | undefined {
    const target = this.#target;
    if (typeof target !== 'string' && !('dsn' in target)) return undefined;
    return parseTarget(target);
  }

  async #open(): Promise<MigrationEngine> {
    const target = this.#target;
    if (target instanceof Connected) return this.#engine(target.connection);
    const { openConnection } = await import('../drivers/open.ts');
    return this.#engine(await openConnection(target, this.#openOptions()));
  }

  async #engine(connection: Connection): Promise<MigrationEngine> {
    const options = this.#engineOptions();
    switch (languageOf(connection.dialectName)) {
      case 'postgres':
        return new (await import('./engines/postgres.ts')).PostgresEngine(connection, options);
      case 'mysql':
        return new (await import('./engines/mysql.ts')).MysqlEngine(connection, options);
      case 'sqlite':
        return new (await import('./engines/sqlite.ts')).SqliteEngine(connection, options);
    }
  }

  #engineOptions(): EngineOptions {
    const { schema = 'chronos', lockTimeout = 60_000, idleLimit = 30_000 } = this.#options;
    const { statementTimeout, signal, onProgress } = this.#options;
    return { schema, lockTimeout, idleLimit, statementTimeout, signal, onProgress };
  }

  #openOptions(): OpenOptions {
    const { connectTimeout, statementTimeout, ssl, onProgress, onStatement } = this.#options;
    return {
      applicationName: 'chronos-migrate',
      // One works, one logs what failed, one cancels.
      pool: { max: 3 },
      folderWait: this.#engineOptions(),
      onWarning: (message) => onProgress?.({ kind: 'warning', message }),
      ...(connectTimeout === undefined ? {} : { connectTimeout }),
      ...(statementTimeout === undefined ? {} : { statementTimeout }),
      ...(ssl === undefined ? {} : { ssl }),
      ...(onStatement === undefined ? {} : { onStatement }),
    };
  }
}
