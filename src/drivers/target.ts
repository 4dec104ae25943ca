import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from './options.ts';
import { parseServer, type ServerTarget } from './server-target.ts';
import { badUrl, parseQuery } from './url.ts';

export type { ServerTarget, TlsMode, TlsRequest } from './server-target.ts';

/** A SQLite file, or none: a database in memory. */
export interface SqliteTarget {
  readonly kind: 'sqlite';
  /** Absolute path, or `:memory:`. */
  readonly path: string;
}

/** A PGlite folder, or none: a database in memory. */
export interface PgliteTarget {
  readonly kind: 'pglite';
  /** Absolute path; absent = in memory. */
  readonly dir?: string;
}

/** A target by its parts; its secrets show in no message, JSON or inspection. */
export type Target = SqliteTarget | PgliteTarget | ServerTarget;

/** What a target may look like, for messages. */
export const SCHEMES: string =
  'sqlite:PATH, sqlite::memory:, file:PATH, a path ending in .db, .sqlite or .sqlite3, ' +
  'postgres://, postgresql://, mysql://, mariadb://, pglite:DIR, pglite:memory';

type Warn = (message: string) => void;

/**
 * Reads a URL, a bare path of a SQLite file or a {@link Config}.
 * @throws InvalidArgumentError with reason BAD_URL; its message never holds the text.
 */
export function parseTarget(target: string | Config, onWarning: Warn = () => {}): Target {
  if (typeof target === 'string') return parseText(target.trim(), onWarning);
  return parseConfig(target, onWarning);
}

function parseText(text: string, warn: Warn): Target {
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1]?.toLowerCase();
  const rest = scheme === undefined ? text : text.slice(scheme.length + 1);
  switch (scheme) {
    case 'sqlite':
    case 'file':
      refuseUserInfo(rest);
      return sqlite(filePath(scheme, rest, warn));
    case 'pglite':
      refuseUserInfo(rest);
      return pglite(rest.replace(/^\/\//, ''));
    case 'postgres':
    case 'postgresql':
    case 'mysql':
    case 'mariadb':
      if (!rest.startsWith('//'))
        throw badUrl(`after ${scheme}: comes //, as in ${scheme}://user@host/database`);
      return parseServer(scheme.startsWith('p') ? 'postgres' : 'mysql', scheme, rest.slice(2), warn);
  }
  if (text === ':memory:' || isFileName(text)) return sqlite(text);
  throw badUrl(`not a database that is known; known are ${SCHEMES}`);
}

/** What was meant for a server must not become a name that messages show. */
function refuseUserInfo(rest: string): void {
  if (/^\/\/[^/]*:[^/]*@/.test(rest)) throw badUrl('a file or folder has no user and password');
}

function isFileName(text: string): boolean {
  return !text.includes('://') && /\.(db|sqlite|sqlite3)$/i.test(text);
}

function parseConfig(config: Config, warn: Warn): Target {
  const { backend, dsn } = config;
  if (typeof dsn !== 'string') throw badUrl('dsn must be a URL or a path');
  const bare = !/^(sqlite|file|pglite|postgres|postgresql|mysql|mariadb):/i.test(dsn);
  if (bare && backend === 'sqlite') return sqlite(dsn);
  if (bare && backend === 'pglite') return pglite(dsn);
  const target = parseText(dsn, warn);
  const kind = backend === 'mariadb' ? 'mysql' : backend;
  if (target.kind !== kind) throw badUrl(`the dsn is not one of backend ${backend}`);
  return target;
}

/** `sqlite:x`, `sqlite://x`, `sqlite:///abs`, `file:x?mode=…`, `file:///abs`. */
function filePath(scheme: string, rest: string, warn: Warn): string {
  const question = rest.indexOf('?');
  const path = question < 0 ? rest : rest.slice(0, question);
  if (question >= 0) {
    for (const name of parseQuery(rest.slice(question + 1)).keys()) {
      warn(`the parameter ${JSON.stringify(name)} of the URL is not known and does nothing`);
    }
  }
  if (scheme === 'file' && path.startsWith('///')) {
    try {
      return fileURLToPath(`file:${path}`);
    } catch (cause) {
      throw badUrl('the path of the file: URL cannot be read', String(cause));
    }
  }
  return path.replace(/^\/\//, '');
}

function sqlite(path: string): SqliteTarget {
  if (path === '') throw badUrl('the path of the SQLite file is empty');
  if (path.includes('\0')) throw badUrl('the path of the SQLite file holds a NUL');
  return { kind: 'sqlite', path: path === ':memory:' ? path : resolve(path) };
}

function pglite(dir: string): PgliteTarget {
  if (dir === '') throw badUrl('the folder of PGlite is empty; pglite:memory has none');
  return dir === 'memory' || dir === ':memory:' ? { kind: 'pglite' } : { kind: 'pglite', dir: resolve(dir) };
}

/** Where a target is, in words that may be printed. */
export function describeTarget(target: Target): string {
  if (target.kind === 'sqlite') return `sqlite:${target.path}`;
  if (target.kind === 'pglite') return `pglite:${target.dir ?? 'memory'}`;
  const host = target.socket ?? (target.host.includes(':') ? `[${target.host}]` : target.host);
  const at = target.socket === undefined ? `${host}:${target.port}` : `socket ${host}`;
  const user = target.user === undefined ? '' : `${target.user}@`;
  const database = target.database === undefined ? '' : `/${target.database}`;
  return `${target.scheme}://${user}${at}${database}`;
}
