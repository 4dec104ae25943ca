import { InvalidArgumentError } from '../errors.ts';
import { Secret } from './secret.ts';
import { badUrl, parsePort, parseUrl, type UrlParts } from './url.ts';

/** TLS as libpq means its words. `prefer`: TLS when the server offers it, else plain. */
export type TlsMode = 'disable' | 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full';

/** What a URL asks of TLS; files are read when it connects. */
export interface TlsRequest {
  readonly mode: TlsMode;
  /** Whether the URL said it, or it is the default. */
  readonly stated: boolean;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

/** A server by its parts. */
export interface ServerTarget {
  readonly kind: 'postgres' | 'mysql';
  /** The scheme as given, for words. */
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** Path of a unix socket (MySQL) or its folder (Postgres). */
  readonly socket?: string;
  readonly user?: string;
  readonly password?: Secret;
  readonly database?: string;
  readonly tls: TlsRequest;
  readonly applicationName?: string;
  /** Milliseconds. */
  readonly connectTimeout?: number;
}

type Kind = ServerTarget['kind'];
type Word =
  | 'host'
  | 'port'
  | 'user'
  | 'password'
  | 'database'
  | 'socket'
  | 'mode'
  | 'tls'
  | 'ca'
  | 'cert'
  | 'key'
  | 'name'
  | 'timeout';

/** Every parameter that is known, and what it says. */
const WORDS: Readonly<Record<Kind, Readonly<Record<string, Word>>>> = {
  postgres: {
    host: 'host',
    port: 'port',
    user: 'user',
    password: 'password',
    dbname: 'database',
    ssl: 'tls',
    sslmode: 'mode',
    sslrootcert: 'ca',
    sslcert: 'cert',
    sslkey: 'key',
    application_name: 'name',
    connect_timeout: 'timeout',
  },
  mysql: {
    socket: 'socket',
    socketPath: 'socket',
    socketpath: 'socket',
    user: 'user',
    password: 'password',
    ssl: 'tls',
    sslmode: 'mode',
    'ssl-mode': 'mode',
    sslrootcert: 'ca',
    'ssl-ca': 'ca',
    sslcert: 'cert',
    'ssl-cert': 'cert',
    sslkey: 'key',
    'ssl-key': 'key',
    application_name: 'name',
    connect_timeout: 'timeout',
  },
};

const MODES: Readonly<Record<string, TlsMode>> = {
  disable: 'disable',
  allow: 'allow',
  prefer: 'prefer',
  require: 'require',
  'verify-ca': 'verify-ca',
  'verify-full': 'verify-full',
  // MySQL's own words for the same.
  disabled: 'disable',
  preferred: 'prefer',
  required: 'require',
  verify_ca: 'verify-ca',
  verify_identity: 'verify-full',
};

/** Reads a server's URL after `scheme://`. */
export function parseServer(
  kind: Kind,
  scheme: string,
  rest: string,
  warn: (message: string) => void,
): ServerTarget {
  const url = parseUrl(rest);
  const said = readParameters(kind, url, warn);
  const host = said.get('host') ?? url.host;
  const socket = said.get('socket') ?? (host.startsWith('/') ? host : undefined);
  const user = said.get('user') ?? url.user;
  const password = said.get('password') ?? url.password;
  const database = said.get('database') ?? (url.path === '' ? undefined : url.path);
  const name = said.get('name');
  const port = said.get('port');
  return {
    kind,
    scheme,
    host: socket === undefined ? host || 'localhost' : 'localhost',
    port: port === undefined ? (url.port ?? (kind === 'postgres' ? 5432 : 3306)) : parsePort(port),
    tls: tlsRequest(said),
    ...(socket === undefined ? {} : { socket }),
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password: new Secret(password) }),
    ...(database === undefined ? {} : { database }),
    ...(name === undefined ? {} : { applicationName: name }),
    ...timeout(said.get('timeout')),
  };
}

function readParameters(kind: Kind, url: UrlParts, warn: (message: string) => void): Map<Word, string> {
  const said = new Map<Word, string>();
  for (const [name, value] of url.parameters) {
    const word = Object.hasOwn(WORDS[kind], name) ? WORDS[kind][name] : undefined;
    if (word !== undefined) said.set(word, value);
    else if (name === 'schema') {
      warn("?schema= is Prisma's and does nothing here (ours is --schema, CHRONOS_SCHEMA or the option)");
    } else warn(`the parameter ${JSON.stringify(name)} of the URL is not known and does nothing`);
  }
  return said;
}

function tlsRequest(said: ReadonlyMap<Word, string>): TlsRequest {
  const asked = said.get('mode') ?? switchMode(said.get('tls'));
  const mode = MODES[asked?.toLowerCase() ?? 'prefer'];
  // The value is not repeated: in a mistaken URL it may be a piece of the password.
  if (mode === undefined) throw badUrl(`sslmode is not one of ${Object.keys(MODES).join(', ')}`);
  const caFile = said.get('ca');
  const certFile = said.get('cert');
  const keyFile = said.get('key');
  return {
    mode,
    stated: asked !== undefined,
    ...(caFile === undefined ? {} : { caFile }),
    ...(certFile === undefined ? {} : { certFile }),
    ...(keyFile === undefined ? {} : { keyFile }),
  };
}

/** `?ssl=true`, as node-postgres and others write it. */
function switchMode(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (/^(true|1)$/i.test(value)) return 'require';
  if (/^(false|0)$/i.test(value)) return 'disable';
  throw badUrl('the parameter ssl is true or false; sslmode says more');
}

/** libpq counts seconds; 0 and absent leave the option's bound. */
function timeout(value: string | undefined): { connectTimeout?: number } {
  if (value === undefined) return {};
  if (!/^\d{1,6}$/.test(value)) {
    throw new InvalidArgumentError('target', 'connect_timeout is a whole number of seconds', {
      reason: 'BAD_URL',
    });
  }
  return value === '0' ? {} : { connectTimeout: Number(value) * 1000 };
}
