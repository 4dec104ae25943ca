import type { Verdict } from '../failures.ts';

/** Codes of node's sockets, resolver and TLS, the same under every driver. */
const NODE: Readonly<Record<string, Verdict>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknownHost',
  EAI_AGAIN: 'unknownHost',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOENT: 'refused',
  EACCES: 'refused',
  ETIMEDOUT: 'silent',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  ERR_STREAM_DESTROYED: 'lost',
  EPROTO: 'tls',
  ERR_SSL_WRONG_VERSION_NUMBER: 'tls',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  CERT_HAS_EXPIRED: 'tls',
  CERT_NOT_YET_VALID: 'tls',
  CERT_REVOKED: 'tls',
  CERT_UNTRUSTED: 'tls',
};

/** What node's own code says, when it is one. */
export function nodeVerdict(code: string | undefined): Verdict | undefined {
  if (code === undefined) return undefined;
  if (Object.hasOwn(NODE, code)) return NODE[code];
  return code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_') || code.startsWith('ERR_OSSL_')
    ? 'tls'
    : undefined;
}
