import { afterAll, beforeAll, describe } from 'vitest';
import type { Conformance, Opened, OpenRequest } from '../../src/conformance/index.ts';
import { newId, openStorage, type Storage, type StorageTarget } from '../../src/index.ts';
import { queryBuilders } from '../storage/query-builders.ts';
import { pgbouncerUrl, type TestDatabase, type Variant } from '../variants.ts';
import { transacts } from './host-transactions.ts';
import { type Host, hosts, type Oddity } from './hosts.ts';

/** A way to stand on a database: the suite runs again on each. */
export interface Form {
  readonly name: string;
  /** Where the storage opens, and what closes it beside; null where the form does not exist. */
  readonly host: (variant: Variant, url: string) => Promise<Host> | Host | null;
  /** Whether each case gets a storage that `forTenant` bound. */
  readonly bound?: boolean;
  /** Runs work in a transaction: each case gets one, rolled back at its end, but those that need a storage of their own. */
  readonly within?: (storage: Storage, host: Host, variant: Variant) => Within;
}

/** Gives `work` a storage inside a transaction that ends with it. */
type Within = (work: (storage: Storage) => Promise<never>) => Promise<never>;

/** What our backends can do: all of it. */
export const EVERYTHING: Conformance['supports'] = {
  transactions: true,
  batches: true,
  pages: true,
  retention: true,
  order: true,
};

const noClose = async (): Promise<void> => {};
const byUrl = (target: StorageTarget): Host => ({ target, close: noClose });

export const plain: Form = { name: 'by URL', host: (_, url) => byUrl(url) };

export const forTenant: Form = { name: 'forTenant', host: (_, url) => byUrl(url), bound: true };

export const pgbouncer: Form = {
  name: 'through PgBouncer',
  host: (variant, url) => {
    const through = variant.driver === 'pg' ? pgbouncerUrl(url) : null;
    return through === null ? null : byUrl(through);
  },
};

export function hostPool(oddity: Oddity): Form {
  return { name: `a host's own, ${oddity.name}`, host: ({ driver }, url) => hosts[driver](url, oddity) };
}

/** A whole store on the query builders of a host: knex, and Prisma. */
export const ofBuilders: readonly Form[] = ['knex instance', 'PrismaClient'].map((name, at) => ({
  name: `a host's ${name}`,
  host: async (variant, url) => {
    const { whole, close } = await queryBuilders(variant)[at]!.open(url);
    return { target: whole as StorageTarget, close };
  },
}));

export const inTransaction: Form = {
  name: 'in a transaction',
  host: (_, url) => byUrl(url),
  within: (storage) => (work) => storage.transaction(work),
};

export function borrowed(oddity: Oddity): Form {
  return {
    ...hostPool(oddity),
    name: `storage.using in a host's transaction, ${oddity.name}`,
    within: (storage, host, { driver }) => {
      const transact = transacts(driver, host);
      return (work) => transact(({ handle }) => work(storage.using(handle)));
    },
  };
}

const DONE = new Error('the case is done');

/** A storage inside a transaction that is held open until it is closed, then rolled back. */
function held(within: Within): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const ended = within(
      (storage) =>
        new Promise((_, back) => {
          const close = async (): Promise<void> => {
            back(DONE);
            await ended.catch((error) => {
              if (error !== DONE) throw error;
            });
          };
          resolve({ storage, close });
        }),
    );
    ended.catch(reject);
  });
}

/** Fills a database that was just migrated. */
type Prepare = (storage: Storage) => Promise<void>;

interface Shared extends Opened {
  readonly host: Host;
}

/** One storage for the cases that share it, and a way to open others. */
class Stand {
  readonly #variant: Variant;
  readonly #form: Form;
  readonly #prepare: Prepare;
  #database: TestDatabase | undefined;
  #another: TestDatabase | undefined;
  #shared: Shared | undefined;

  constructor(variant: Variant, form: Form, prepare: Prepare) {
    this.#variant = variant;
    this.#form = form;
    this.#prepare = prepare;
  }

  async start(): Promise<void> {
    this.#database = await this.#migrated();
    this.#shared = await this.#opened(this.#database);
  }

  async stop(): Promise<void> {
    await this.#shared?.close();
  }

  open = async (request: OpenRequest = {}): Promise<Opened> => {
    const shared = request.own !== true && request.requireTenant !== true ? this.#shared : undefined;
    const { within, bound } = this.#form;
    if (shared && within) return held(within(shared.storage, shared.host, this.#variant));
    const opened = shared ?? (await this.#opened(await this.#other(), request));
    const storage = bound && request.unbound !== true ? opened.storage.forTenant(newId()) : opened.storage;
    return { storage, close: shared ? noClose : opened.close };
  };

  /** Where a second storage may stand: a PGlite folder takes one opener at a time. */
  async #other(): Promise<TestDatabase> {
    if (this.#variant.driver !== 'pglite' && this.#database) return this.#database;
    this.#another ??= await this.#migrated();
    return this.#another;
  }

  async #migrated(): Promise<TestDatabase> {
    const database = await this.#variant.createDatabase('conformance');
    const storage = await openStorage(database.url);
    await storage.migrate();
    await this.#prepare(storage);
    await storage.close();
    return database;
  }

  async #opened({ url }: TestDatabase, { requireTenant = false }: OpenRequest = {}): Promise<Shared> {
    const host = await this.#form.host(this.#variant, url);
    if (host === null) throw new Error(`${this.#variant.name} has no form ${this.#form.name}`);
    const storage: Storage = await openStorage(host.target, { requireTenant });
    return {
      storage,
      host,
      close: async () => {
        await storage.close();
        await host.close();
      },
    };
  }
}

/** Whether a variant can stand in a form. */
export function has(variant: Variant, form: Form): boolean {
  return form !== pgbouncer || (variant.driver === 'pg' && pgbouncerUrl(variant.serverUrl ?? '') !== null);
}

/** Declares `body`'s cases on a variant in a form; `prepare` is given a storage on each database once it is migrated. */
export function stand(
  variant: Variant,
  form: Form,
  body: (open: Stand['open']) => void,
  prepare: Prepare = async () => {},
): void {
  describe(`${variant.name}, ${form.name}`, () => {
    const place = new Stand(variant, form, prepare);
    beforeAll(() => place.start());
    afterAll(() => place.stop());
    body(place.open);
  });
}
