import { rmSync } from 'node:fs';
import { atExit } from './at-exit.ts';
import { Containers } from './containers.ts';
import {
  embeddedUnavailable,
  fillPgliteTemplate,
  firstLine,
  removeFolder,
  temporaryFolder,
} from './embedded.ts';
import { ready } from './ready.mjs';
import type { EngineName } from './selection.ts';
import { type ServerName, urlVariable, type VariantName } from './table.mjs';

/** What the workers are told. */
export interface Engines {
  variants: { name: VariantName; server?: { url: string; isTemporary: boolean } }[];
  pgbouncerUrl: string | null;
  /** A folder to copy; null where PGlite does not run. */
  pgliteTemplate: string | null;
}

class LeftOutError extends Error {}

/** Finds or starts each wanted engine version; `stop` undoes whatever was started, also after a failure. */
export class EngineFinder {
  readonly #containers = new Containers();
  #noContainers: string | null = 'not asked yet';
  #pgliteTemplate: string | null = null;
  readonly #endedInTime = atExit(() => {
    if (this.#pgliteTemplate) rmSync(this.#pgliteTemplate, { recursive: true, force: true });
    if (!this.#noContainers) this.#containers.removeNow();
  });
  /** Reasons by engine version. */
  readonly leftOut = new Map<EngineName, string>();

  async find(wanted: readonly VariantName[]): Promise<Engines> {
    this.#noContainers = await this.#containers.unavailable();
    const found = await allOrFirstFailure(wanted.map((name) => this.#orLeftOut(name, this.#variant(name))));
    const variants = found.filter((variant) => variant !== null);
    const hasPostgres = variants.some(({ name }) => name === 'postgres18');
    const pgbouncerUrl = hasPostgres ? await this.#orLeftOut('pgbouncer', this.#pgbouncer()) : null;
    return { variants, pgbouncerUrl, pgliteTemplate: this.#pgliteTemplate };
  }

  async stop(): Promise<void> {
    await this.#containers.stop();
    if (this.#pgliteTemplate) await removeFolder(this.#pgliteTemplate);
    this.#endedInTime();
  }

  async #variant(name: VariantName): Promise<Engines['variants'][number]> {
    if (name !== 'pglite' && name !== 'sqlite') return { name, server: await this.#server(name) };
    const reason = await embeddedUnavailable(name);
    if (reason) throw new LeftOutError(reason);
    if (name === 'pglite') {
      this.#pgliteTemplate = await temporaryFolder('chronos-pglite-template');
      await fillPgliteTemplate(this.#pgliteTemplate);
    }
    return { name };
  }

  async #server(name: ServerName): Promise<{ url: string; isTemporary: boolean }> {
    const given = await givenUrl(name);
    if (given) return { url: given, isTemporary: false };
    if (this.#noContainers) throw new LeftOutError(this.#noContainers);
    return { url: await this.#containers.startServer(name).catch(leaveOut), isTemporary: true };
  }

  async #pgbouncer(): Promise<string> {
    return (await givenUrl('pgbouncer')) ?? this.#containers.startPgbouncer().catch(leaveOut);
  }

  async #orLeftOut<T>(name: EngineName, engine: Promise<T>): Promise<T | null> {
    try {
      return await engine;
    } catch (error) {
      if (!(error instanceof LeftOutError)) throw error;
      this.leftOut.set(name, error.message);
      return null;
    }
  }
}

/** A server that was named and does not answer is a mistake to report, never a reason to leave its tests out. */
async function givenUrl(name: ServerName | 'pgbouncer'): Promise<string | null> {
  const url = process.env[urlVariable(name)];
  if (!url) return null;
  await ready(url, 10_000).catch((error) => {
    throw new Error(`${urlVariable(name)}: ${firstLine(error)} (${firstLine(error.cause)})`, {
      cause: error,
    });
  });
  return url;
}

function leaveOut(error: unknown): never {
  throw new LeftOutError(firstLine(error), { cause: error });
}

/** Waits for all of them first: a container that starts after the clean-up would never be stopped. */
async function allOrFirstFailure<T>(work: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
