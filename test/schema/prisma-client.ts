import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { DialectName, Language } from '../../src/sql/dialect-name.ts';
import { generatePrisma } from './generated-prisma.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What these tests call of a model's delegate; the generated types exist only once they run. */
export interface Delegate {
  create(args: { data: Fields }): Promise<Fields>;
  findUniqueOrThrow(args: { where: Fields; include?: Fields }): Promise<Fields>;
  findMany(args: { where: Fields; orderBy?: readonly Fields[]; take?: number }): Promise<Fields[]>;
  update(args: { where: Fields; data: Fields }): Promise<Fields>;
  delete(args: { where: Fields }): Promise<Fields>;
}

export interface LedgerClient {
  readonly chronosSession: Delegate;
  readonly chronosMemory: Delegate;
  readonly chronosAuditLog: Delegate;
  readonly chronosTrace: Delegate;
  readonly chronosEvent: Delegate;
  readonly chronosEventHead: Delegate;
  readonly chronosCheckpoint: Delegate;
  readonly chronosVectorCollection: Delegate;
  $disconnect(): Promise<void>;
}

/** A Prisma client generated from the committed schema of `language`, on the database at `url`. */
export async function prismaClient(
  language: Language,
  dialect: DialectName,
  url: string,
): Promise<LedgerClient> {
  const { adapter, close } = await ADAPTERS[dialect](url);
  const client = await prismaOver(language, adapter);
  return new Proxy(client, {
    get: (target, name: keyof LedgerClient) =>
      name === '$disconnect' ? () => target.$disconnect().then(close) : target[name],
  });
}

/** A Prisma client generated from the committed schema of `language`, over an adapter. */
export async function prismaOver(language: Language, adapter: unknown): Promise<LedgerClient> {
  const { clientModule } = await generatePrisma(language);
  const { PrismaClient } = (await import(/* @vite-ignore */ clientModule)) as {
    PrismaClient: new (options: { adapter: unknown }) => LedgerClient;
  };
  return new PrismaClient({ adapter });
}

interface Opened {
  readonly adapter: unknown;
  /** Ends what the adapter was lent. */
  readonly close: () => Promise<void>;
}

const nothing = async (): Promise<void> => {};

/** The adapter of each dialect, set up as a host has to. */
const ADAPTERS: Readonly<Record<DialectName, (url: string) => Promise<Opened>>> = {
  postgres: async (url) => ({ adapter: new PrismaPg({ connectionString: url }), close: nothing }),
  pglite: async (url) => {
    const db = await PGlite.create(url.slice('pglite:'.length), { extensions: { vector } });
    return { adapter: new PrismaPGlite(db), close: () => db.close() };
  },
  mysql: mariadbAdapter,
  mariadb: mariadbAdapter,
  sqlite: async (url) => ({
    adapter: new PrismaBetterSqlite3(
      { url: `file:${url.slice('sqlite:'.length)}` },
      { timestampFormat: 'unixepoch-ms' },
    ),
    close: nothing,
  }),
};

async function mariadbAdapter(url: string): Promise<Opened> {
  return { adapter: new PrismaMariaDb(mariadbConfig(url)), close: nothing };
}

/** The package mariadb takes no URL with every password. */
export function mariadbConfig(url: string): ConstructorParameters<typeof PrismaMariaDb>[0] & object {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    // MySQL's caching_sha2_password, without TLS.
    allowPublicKeyRetrieval: true,
    connectionLimit: 2,
  };
}
