import { readFile } from 'node:fs/promises';
import { InvalidArgumentError } from '../errors.ts';
import type { OpenOptions } from './options.ts';
import type { TlsMode, TlsRequest } from './server-target.ts';

/** TLS of one attempt to connect, as node's `tls` understands it. */
export interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly rejectUnauthorized: boolean;
  /** Whether the certificate must be of this host. */
  readonly verifyIdentity: boolean;
}

/** What to try, in order; false = plain. */
export async function tlsAttempts(
  request: TlsRequest,
  given: OpenOptions['ssl'],
  socket: string | undefined,
): Promise<readonly (Tls | false)[]> {
  // As libpq: a unix socket never leaves the machine.
  if (socket !== undefined) return [false];
  const mode = effectiveMode(request, given);
  if (mode === 'disable') return [false];
  const tls = await settings(mode, request, given);
  if (mode === 'prefer') return [tls, false];
  return mode === 'allow' ? [false, tls] : [tls];
}

/** Who hands over a CA and names no mode means it to be checked; a CA makes `require` verify, as in libpq. */
function effectiveMode(request: TlsRequest, given: OpenOptions['ssl']): TlsMode {
  if (!request.stated && given?.ca !== undefined) return 'verify-full';
  const hasCa = given?.ca !== undefined || request.caFile !== undefined;
  return request.mode === 'require' && hasCa ? 'verify-ca' : request.mode;
}

async function settings(mode: TlsMode, request: TlsRequest, given: OpenOptions['ssl']): Promise<Tls> {
  const ca = given?.ca ?? (await read('sslrootcert', request.caFile));
  const cert = given?.cert ?? (await read('sslcert', request.certFile));
  const key = given?.key ?? (await read('sslkey', request.keyFile));
  return {
    rejectUnauthorized: mode === 'verify-ca' || mode === 'verify-full',
    verifyIdentity: mode === 'verify-full',
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
}

async function read(name: string, file: string | undefined): Promise<string | undefined> {
  // libpq's word for the certificates that the system trusts.
  if (file === undefined || (name === 'sslrootcert' && file === 'system')) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new InvalidArgumentError('target', `the file of ${name} cannot be read`, {
      cause,
      reason: 'BAD_URL',
    });
  }
}
