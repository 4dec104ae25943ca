import { afterAll, beforeEach } from 'vitest';
import { keepsServers } from './containers.ts';

/** A database of the running test file, and how long it lives. */
export interface Owned {
  readonly title: string;
  readonly url: string;
  /** The server goes away with the run, and the database with it. */
  readonly isServerTemporary: boolean;
  drop(): Promise<void>;
}

const open = new Set<Owned>();
let fileFailed = false;

/** Drops the database at the end of the test file, unless `drop` was called before; a failed file keeps what is left. */
export function own(database: Owned): { url: string; drop(): Promise<void> } {
  open.add(database);
  return { url: database.url, drop: () => release(database) };
}

async function release(database: Owned): Promise<void> {
  if (!open.delete(database)) return;
  if (!fileFailed && !keepsServers()) return database.drop();
  console.log(database.isServerTemporary && !keepsServers() ? goneMessage(database) : keptMessage(database));
}

// Registered when a test file imports the variants: hooks of the whole file, the afterAll the last of its kind to run.
beforeEach(({ onTestFailed }) => {
  onTestFailed(() => {
    fileFailed = true;
  });
});

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameters and demands a destructured first one.
afterAll(async ({}, file) => {
  fileFailed ||= hasFailed(file);
  for (const database of open) await release(database);
});

interface Task {
  result?: { state: string } | undefined;
  tasks?: readonly Task[];
}

/** A beforeAll that failed is no failed test: it shows in its suite only. */
function hasFailed(task: Task): boolean {
  return task.result?.state === 'fail' || (task.tasks?.some(hasFailed) ?? false);
}

function keptMessage({ title, url }: Owned): string {
  return `kept ${title}; open it with: ${openCommand(url)}`;
}

function goneMessage({ title }: Owned): string {
  return `${title} goes with its server; to keep it: CHRONOS_TEST_KEEP=1 npm test, or eval "$(npm run -s db:up)" before`;
}

function openCommand(url: string): string {
  if (url.startsWith('postgres')) return `psql '${url}'`;
  if (url.startsWith('sqlite:')) return `sqlite3 ${url.slice('sqlite:'.length)}`;
  if (url.startsWith('pglite:'))
    return `the folder ${url.slice('pglite:'.length)}, with @electric-sql/pglite`;
  const { hostname, port, username, password, pathname } = new URL(url);
  return `mysql -h ${hostname} -P ${port} -u ${username} -p${password} ${pathname.slice(1)}`;
}
