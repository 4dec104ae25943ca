import { resolve } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/drivers/options.ts';
import { describeTarget, parseTarget, type ServerTarget, type Target } from '../../src/drivers/target.ts';

function parsed(target: string | Config): { target: Target; warnings: string[] } {
  const warnings: string[] = [];
  return { target: parseTarget(target, (message) => warnings.push(message)), warnings };
}

function server(url: string): ServerTarget {
  const { target } = parsed(url);
  if (target.kind !== 'postgres' && target.kind !== 'mysql') throw new Error('not a server');
  return target;
}

const embedded: readonly [string | Config, object][] = [
  ['sqlite:chronos.db', { kind: 'sqlite', path: resolve('chronos.db') }],
  ['sqlite:./a b.db', { kind: 'sqlite', path: resolve('a b.db') }],
  ['sqlite:/tmp/x', { kind: 'sqlite', path: '/tmp/x' }],
  ['sqlite:///tmp/x.db', { kind: 'sqlite', path: '/tmp/x.db' }],
  ['sqlite://x.db', { kind: 'sqlite', path: resolve('x.db') }],
  ['sqlite::memory:', { kind: 'sqlite', path: ':memory:' }],
  [':memory:', { kind: 'sqlite', path: ':memory:' }],
  ['file:./dev.db', { kind: 'sqlite', path: resolve('dev.db') }],
  ['file:///tmp/a%20b.db', { kind: 'sqlite', path: '/tmp/a b.db' }],
  ['SQLITE:x', { kind: 'sqlite', path: resolve('x') }],
  ['data/x.DB', { kind: 'sqlite', path: resolve('data/x.DB') }],
  ['/tmp/x.sqlite3', { kind: 'sqlite', path: '/tmp/x.sqlite3' }],
  ['x.sqlite', { kind: 'sqlite', path: resolve('x.sqlite') }],
  ['pglite:./data', { kind: 'pglite', dir: resolve('data') }],
  ['pglite:memory', { kind: 'pglite' }],
  ['pglite://memory', { kind: 'pglite' }],
  [
    { backend: 'sqlite', dsn: 'ledger' },
    { kind: 'sqlite', path: resolve('ledger') },
  ],
  [
    { backend: 'sqlite', dsn: ':memory:' },
    { kind: 'sqlite', path: ':memory:' },
  ],
  [{ backend: 'pglite', dsn: 'memory' }, { kind: 'pglite' }],
  [
    { backend: 'pglite', dsn: 'folder' },
    { kind: 'pglite', dir: resolve('folder') },
  ],
];

const servers: readonly [string, object][] = [
  ['postgres://h/d', { kind: 'postgres', host: 'h', port: 5432, database: 'd' }],
  ['postgresql://u@h:1/d', { kind: 'postgres', host: 'h', port: 1, user: 'u', database: 'd' }],
  ['mysql://u@h/d', { kind: 'mysql', host: 'h', port: 3306, database: 'd' }],
  ['mariadb://u@h:3307/d', { kind: 'mysql', scheme: 'mariadb', port: 3307 }],
  ['postgres://u@[::1]:5433/d', { host: '::1', port: 5433 }],
  ['postgres://[fe80::1]/d', { host: 'fe80::1', port: 5432 }],
  ['postgres:///d', { host: 'localhost', database: 'd' }],
  ['postgres://u@h/a%2Fb%20c', { database: 'a/b c' }],
  ['postgres://u%40corp@h/d', { user: 'u@corp' }],
  ['postgres:///d?host=/var/run/pg&port=5433', { socket: '/var/run/pg', port: 5433 }],
  ['postgres://u@%2Fvar%2Frun%2Fpg/d', { socket: '/var/run/pg', user: 'u' }],
  ['mysql://u@localhost/d?socketPath=/run/my.sock', { socket: '/run/my.sock' }],
  ['mysql://u@localhost/d?socket=%2Frun%2Fmy.sock', { socket: '/run/my.sock' }],
  [
    'postgres://h/d?sslmode=verify-full&sslrootcert=/ca',
    { tls: { mode: 'verify-full', stated: true, caFile: '/ca' } },
  ],
  ['postgres://h/d', { tls: { mode: 'prefer', stated: false } }],
  ['postgres://h/d?ssl=true', { tls: { mode: 'require', stated: true } }],
  ['mysql://h/d?ssl-mode=VERIFY_IDENTITY', { tls: { mode: 'verify-full', stated: true } }],
  ['mysql://h/d?sslmode=disable', { tls: { mode: 'disable', stated: true } }],
  [
    'postgres://h/d?sslcert=/c&sslkey=/k',
    { tls: { mode: 'prefer', stated: false, certFile: '/c', keyFile: '/k' } },
  ],
  ['postgres://h/d?application_name=a+b%20c', { applicationName: 'a+b c' }],
  ['postgres://h/d?connect_timeout=3', { connectTimeout: 3000 }],
  ['postgres://h?user=u&dbname=d', { user: 'u', database: 'd' }],
];

/** Raw on the left, what it means on the right. */
const passwords: readonly [string, string][] = [
  ['plain', 'plain'],
  ['p@ss', 'p@ss'],
  ['a:b', 'a:b'],
  ['a/b?c#d', 'a/b?c#d'],
  ['100%', '100%'],
  ['%zz', '%zz'],
  ['%40', '@'],
  ['a+b c', 'a+b c'],
  ['a&b^c$d!e', 'a&b^c$d!e'],
  ['\'"\\', '\'"\\'],
  ['é', 'é'],
  ['%C3%A9', 'é'],
  // No UTF-8: as written.
  ['%FF', '%FF'],
  ['x@y:1/z?sslmode=bad', 'x@y:1/z?sslmode=bad'],
  ['', ''],
];

describe('parseTarget', () => {
  it.each(embedded)('reads %j', (text, expected) => {
    expect(parsed(text)).toEqual({ target: expected, warnings: [] });
  });

  it.each(servers)('reads %s', (text, expected) => {
    const { target, warnings } = parsed(text);
    expect(target).toMatchObject(expected);
    expect(warnings).toEqual([]);
  });

  it.each(passwords)('reads the raw password %s', (raw, meant) => {
    for (const scheme of ['postgres', 'mysql']) {
      const target = server(`${scheme}://u:${raw}@h:9/d?application_name=x`);
      expect(target.password?.reveal()).toBe(meant);
      expect(target).toMatchObject({ user: 'u', host: 'h', port: 9, database: 'd', applicationName: 'x' });
    }
  });

  it.each([
    ['mongodb://u:secret@h/d', /known are sqlite:PATH/],
    ['secret', /known are sqlite:PATH/],
    ['', /known are/],
    ['postgres:u:secret@h', /comes \/\//],
    ['postgres://u:secret@h:port/d', /port/],
    ['postgres://u:secret@h:70000/d', /port/],
    ['postgres://u:secret@h1,h2/d', /several hosts/],
    ['postgres://u:secret@[::1/d', /IPv6|host/],
    ['postgres://u:secret@h/d?sslmode=secret', /sslmode is not one of/],
    ['postgres://u:secret@h/d?ssl=secret', /ssl is true or false/],
    ['postgres://h/d?connect_timeout=secret', /whole number of seconds/],
    ['postgres://localhost/app?user=u&password=sec@secret', /parameter holds an @/],
    ['mysql://u:p@localhost/app?password=secret@1', /parameter holds an @/],
    ['postgres:///app?host=/run/secret@x', /parameter holds an @/],
    ['pglite://u:secret@h', /no user and password/],
    ['sqlite://u:secret@h/x.db', /no user and password/],
    ['sqlite:', /empty/],
    ['pglite:', /empty/],
    [{ backend: 'mysql', dsn: 'postgres://u:secret@h/d' } as Config, /backend mysql/],
    [{ backend: 'mysql', dsn: 'secret.db' } as Config, /backend mysql/],
  ])('refuses %j without repeating it', (target, problem) => {
    try {
      parseTarget(target);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        code: 'INVALID_ARGUMENT',
        reason: 'BAD_URL',
        message: expect.stringMatching(problem),
      });
      expect(inspect(error)).not.toMatch(/secret/);
    }
  });

  it("warns of each parameter that it does not know, and of Prisma's schema in one line", () => {
    const { warnings } = parsed('postgres://h/d?foo=1&schema=public&bar=2');
    expect(warnings).toEqual([
      'the parameter "foo" of the URL is not known and does nothing',
      "?schema= is Prisma's and does nothing here (ours is --schema, CHRONOS_SCHEMA or the option)",
      'the parameter "bar" of the URL is not known and does nothing',
    ]);
    expect(parsed('file:./dev.db?connection_limit=1').warnings).toHaveLength(1);
    expect(parsed('postgres://h/d?constructor=1').warnings).toHaveLength(1);
  });

  it('shows no password in anything that it makes', () => {
    const secret = fc
      .string({ unit: 'grapheme', minLength: 6, maxLength: 20 })
      // What other parts of the URL hold anyway proves nothing.
      .filter((text) => !'postgres://user@host.example:5432/database [hidden]'.includes(text));
    fc.assert(
      fc.property(secret, fc.boolean(), fc.constantFrom('postgres', 'mysql'), (password, encode, scheme) => {
        const written = encode ? encodeURIComponent(password) : password;
        const { target, warnings } = parsed(`${scheme}://user:${written}@host.example/database`);
        const shown = [
          describeTarget(target),
          JSON.stringify(target),
          inspect(target, { depth: 9, showHidden: true }),
          ...warnings,
        ];
        for (const text of shown) {
          expect(text).not.toContain(password);
          expect(text).not.toContain(written);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['postgres://u:p@h/d', 'postgres://u@h:5432/d'],
    ['mariadb://u:p@[::1]:3307/d', 'mariadb://u@[::1]:3307/d'],
    ['postgres://u:p@/d?host=/run/pg', 'postgres://u@socket /run/pg/d'],
    ['sqlite:/tmp/x.db', 'sqlite:/tmp/x.db'],
    ['pglite:memory', 'pglite:memory'],
  ])('describes %s', (text, described) => {
    expect(describeTarget(parsed(text).target)).toBe(described);
  });
});
