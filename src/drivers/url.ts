import { InvalidArgumentError } from '../errors.ts';

/** The parts of `scheme://user:password@host:port/path?key=value`, decoded. */
export interface UrlParts {
  readonly user?: string;
  readonly password?: string;
  /** Without brackets; a socket's path when it begins with `/`. */
  readonly host: string;
  readonly port?: number;
  /** Without the first `/`. */
  readonly path: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The error of a target that cannot be read. Never shows the text: a password may stand anywhere in it. */
export function badUrl(problem: string, hint?: string): InvalidArgumentError {
  return new InvalidArgumentError('target', problem, {
    reason: 'BAD_URL',
    ...(hint === undefined ? {} : { hint }),
  });
}

/** `%41` → `A`; a `%` without two hex digits, and octets that are no UTF-8, stay as they are. `+` is itself. */
export function percentDecode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (octets) => {
    try {
      return decodeURIComponent(octets);
    } catch {
      // Octets that are no UTF-8: then they were meant as written.
      return octets;
    }
  });
}

/** A raw `@` in the parameter of a URL without user info, or in a password that is given as a parameter. */
const RAW_AT = /^[^@:/?]*(:\d*)?(\/[^@?]*)?\?[^@]*=[^@]*@|[?&]password=[^&]*@/;

/**
 * Reads what follows `scheme://`, by hand: `new URL` throws on passwords that work. The user info runs to the
 * last `@`, so a raw password may hold any character; an `@` in a parameter is written `%40`: taken for the end of
 * the user info it would make a host of what follows, a piece of a password perhaps.
 */
export function parseUrl(rest: string): UrlParts {
  if (RAW_AT.test(rest)) throw badUrl('a parameter holds an @', 'write it as %40');
  const at = rest.lastIndexOf('@');
  const [, authority = '', path = '', query] =
    /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(rest.slice(at + 1)) ?? [];
  return {
    ...userInfo(at < 0 ? '' : rest.slice(0, at)),
    ...hostAndPort(authority),
    path: percentDecode(path),
    parameters: parseQuery(query ?? ''),
  };
}

/** `a=1&b=2` by name; the last of a repeated name counts. */
export function parseQuery(query: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    found.set(percentDecode(name), equals < 0 ? '' : percentDecode(pair.slice(equals + 1)));
  }
  return found;
}

function userInfo(text: string): { user?: string; password?: string } {
  if (text === '') return {};
  const colon = text.indexOf(':');
  const user = percentDecode(colon < 0 ? text : text.slice(0, colon));
  return {
    ...(user === '' ? {} : { user }),
    ...(colon < 0 ? {} : { password: percentDecode(text.slice(colon + 1)) }),
  };
}

function hostAndPort(authority: string): { host: string; port?: number } {
  if (authority.includes(',')) throw badUrl('names several hosts; one is needed');
  const found = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(authority);
  if (!found) throw badUrl('the host cannot be read', 'write an IPv6 address in brackets: [::1]:5432');
  const host = found[1] ?? percentDecode(found[2] ?? '');
  return found[3] === undefined || found[3] === '' ? { host } : { host, port: parsePort(found[3]) };
}

/** A port as a number. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw badUrl('the port is not a number from 1 to 65535');
  return port;
}
