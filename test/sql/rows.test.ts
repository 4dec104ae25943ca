import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/drivers/connection.ts';
import { InvalidArgumentError } from '../../src/errors.ts';
import { EVENTS, SESSIONS } from '../../src/model/tables.ts';
import { eventOf, sessionOf } from '../../src/repositories/decode.ts';
import { type Dialect, dialectFor } from '../../src/sql/dialect.ts';
import type { DialectName } from '../../src/sql/dialect-name.ts';
import { checkSize, encode } from '../../src/sql/rows.ts';

const text = (max: number) =>
  fc.string({ unit: 'binary', minLength: 1, maxLength: max }).filter((one) => !one.includes('\0'));
const date = fc.date({
  min: new Date('1000-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
});
const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const events = fc.record({
  id: text(255),
  sessionId: text(255),
  seqNum: fc.maxSafeInteger().filter((one) => !Object.is(one, -0)),
  type: text(64),
  payload: json,
  createdAt: date,
});
const sessions = fc.record(
  { id: text(255), agentId: text(128), status: text(64), metadata: json, createdAt: date, updatedAt: date },
  { requiredKeys: ['id', 'agentId', 'status', 'createdAt', 'updatedAt'] },
);

/** What an engine would give back: the forms that `dialect.read` asks for, from the values that were written. */
const AS_READ: Readonly<Record<DialectName, (type: string, value: unknown) => string | number | null>> = {
  postgres: (type, value) => String(type === 'time' ? Date.parse(String(value)) : value),
  pglite: (type, value) => {
    if (type === 'time') return String(Date.parse(String(value)));
    return type === 'key' || type === 'text' ? JSON.stringify(value) : String(value);
  },
  mysql: (type, value) => (type === 'time' ? Date.parse(`${value}Z`) : (value as string | number)),
  mariadb: (type, value) => (type === 'time' ? String(Date.parse(`${value}Z`)) : (value as string | number)),
  sqlite: (_, value) => value as string | number,
};

function stored(dialect: Dialect, table: typeof EVENTS, values: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(
    table.columns.map(({ name, type }) => {
      const value = values[name] ?? null;
      return [name, value === null ? null : AS_READ[dialect.name](type, value)];
    }),
  );
}

describe.each(['postgres', 'pglite', 'mysql', 'mariadb', 'sqlite'] as const)('rows of %s', (name) => {
  it('events come back as they were', async () => {
    const dialect = await dialectFor(name);
    fc.assert(
      fc.property(events, (event) => {
        const values = encode(dialect, EVENTS, event, { tenant: 'acme', maxBytes: 1e9 });
        const back = eventOf(dialect, stored(dialect, EVENTS, values));
        expect(back).toEqual({
          ...event,
          payload: JSON.parse(JSON.stringify(event.payload)),
          tenantId: 'acme',
        });
      }),
    );
  });

  it('sessions come back as they were, absent metadata absent', async () => {
    const dialect = await dialectFor(name);
    fc.assert(
      fc.property(sessions, (session) => {
        const values = encode(dialect, SESSIONS, session, { tenant: 'acme', maxBytes: 1e9 });
        const back = sessionOf(dialect, stored(dialect, SESSIONS, values));
        expect('metadata' in back).toBe('metadata' in session);
        expect(JSON.stringify(back.metadata)).toBe(JSON.stringify(session.metadata));
        expect([back.createdAt, back.updatedAt]).toEqual([session.createdAt, session.updatedAt]);
      }),
    );
  });
});

describe('checkSize', () => {
  it('refuses a row over the limit in bytes and names its largest field, not a long but light one', () => {
    const values = { id: 'x', metadata: '€'.repeat(30_000), status: 'y'.repeat(9) };
    const refuse = (maxBytes: number) => () => checkSize(SESSIONS, values, { maxBytes, path: 'list[2]' });
    expect(refuse(120_000)).not.toThrow();
    expect(refuse(100_000)).toThrow(InvalidArgumentError);
    expect(refuse(100_000)).toThrow(/^list\[2\]\.metadata: is too large/);
  });
});
