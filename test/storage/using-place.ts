import { newId, openStorage, type Storage } from '../../src/index.ts';
import type { HostQuery, HostTransaction } from '../conformance/host-transactions.ts';
import type { Variant } from '../variants.ts';
import type { HandleKind, OpenHost } from './open-host.ts';

/** A host on a database with the ledger's tables and one of its own, and a storage beside it. */
export class Place {
  readonly variant: Variant;
  readonly kind: HandleKind;
  host!: OpenHost;
  storage!: Storage;
  /** The names of the statements that were sent. */
  readonly sent: string[] = [];

  constructor(variant: Variant, kind: HandleKind) {
    this.variant = variant;
    this.kind = kind;
  }

  async start(): Promise<void> {
    const { url } = await this.variant.createDatabase('using');
    const migrating = await openStorage(url);
    await migrating.migrate();
    await migrating.close();
    this.host = await this.kind.open(url);
    this.storage = await openStorage(this.host.target, {
      onStatement: ({ name }) => this.sent.push(name),
    });
    await this.host.transact(({ query }) => query('create table host_rows (id varchar(99) primary key)'));
  }

  async stop(): Promise<void> {
    await this.storage.close();
    await this.host.close();
  }

  /** Runs `work` in the host's transaction with a storage that it lent to, of a tenant of its own. */
  lend<T>(work: (lent: Storage, tx: HostTransaction) => Promise<T>, tenant: string = newId()): Promise<T> {
    return this.host.transact((tx) => work(this.storage.using(tx.handle).forTenant(tenant), tx));
  }

  async hostRows(query?: HostQuery): Promise<string[]> {
    const read = (ask: HostQuery) => ask('select id from host_rows order by id');
    const rows = await (query ? read(query) : this.host.transact((tx) => read(tx.query)));
    return rows.map(({ id }) => String(id));
  }
}

/** A statement of the host's own. */
export function insertRow(id: string): string {
  return `insert into host_rows (id) values ('${id}')`;
}
