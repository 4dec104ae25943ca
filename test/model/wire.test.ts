import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  fromWire,
  InvalidArgumentError,
  type NewEvent,
  type NewTrace,
  openStorage,
  type Session,
  toWire,
  type Wire,
  type WireKind,
} from '../../src/index.ts';
import { RECORD_TABLES } from '../../src/model/tables.ts';
import { AT, FULL, ISO, LEAST } from './wire-records.ts';

const kinds = Object.keys(FULL) as WireKind[];

/** The wire form of the least record of a kind, with one key set; `undefined` takes it away. */
function wireWith(kind: WireKind, key: string, value: unknown): object {
  return { ...toWire(LEAST[kind]), [key]: value };
}

describe('the wire form', () => {
  it('columns of one name hold the same in every record', () => {
    const columns = RECORD_TABLES.flatMap((table) => table.columns);
    const facts = new Map(columns.map(({ name, type, max, textual }) => [name, { type, max, textual }]));
    for (const { name, type, max, textual } of columns)
      expect(facts.get(name)).toEqual({ type, max, textual });
  });

  it.each(kinds)('%s: every field goes there and back', (kind) => {
    const [record, wire] = FULL[kind];
    expect(toWire(record)).toEqual(wire);
    expect(fromWire(kind, wire)).toEqual(record);
    expect(fromWire(kind, JSON.stringify(wire))).toEqual(record);
  });

  it.each(kinds)('%s: what is absent stays absent', (kind) => {
    const record = LEAST[kind];
    expect(Object.values(toWire(record))).not.toContain(undefined);
    expect(Object.keys(toWire(record))).toHaveLength(Object.keys(record).length);
    expect(fromWire(kind, toWire(record))).toStrictEqual(record);
  });

  it('an undefined field is absent, and null in a JSON field is null', () => {
    const { payload, ...rest } = LEAST.event;
    expect(toWire({ ...rest, seqNum: undefined, payload: null } as unknown as NewEvent)).toStrictEqual({
      id: 'e',
      session_id: 's',
      type: '',
      payload: null,
    });
    expect(fromWire('session', { ...toWire(LEAST.session), metadata: null })).toStrictEqual({
      ...LEAST.session,
      metadata: null,
    });
  });

  it('what a JSON field holds is passed on as it is', () => {
    const payload = { snake_case: { camelCase: [{ createdAt: AT, __proto__: null }] }, b: 1, a: 2, 1: 3 };
    expect(toWire({ ...LEAST.event, payload }).payload).toBe(payload);
    expect(fromWire('event', { ...toWire(LEAST.event), payload }).payload).toBe(payload);
    const text =
      '{"id":"e","session_id":"s","type":"t","payload":{"b":1,"a":{"seq_num":1,"__proto__":{}},"1":2}}';
    const { payload: parsed } = fromWire('event', text);
    expect(JSON.stringify(parsed)).toBe(JSON.stringify(JSON.parse(text).payload));
  });

  it('keys that are not of the kind are ignored', () => {
    const wire = { ...toWire(LEAST.session), seq_num: 'x', agentId: 'other', __v: 1, constructor: 7 };
    expect(fromWire('session', wire)).toStrictEqual(LEAST.session);
    expect(toWire({ ...LEAST.session, extra: 1 } as never)).toStrictEqual({
      id: 's',
      agent_id: 'a',
      status: '',
    });
  });

  it('leaves what it is given as it is', () => {
    const record = Object.freeze({ ...LEAST.trace, startedAt: AT });
    const wire = Object.freeze({ ...toWire(record) });
    const back = fromWire('trace', wire);
    expect(back.startedAt).toEqual(AT);
    expect(back.startedAt).not.toBe(AT);
    expect(wire.started_at).toBe(ISO);
  });

  it('the types follow the keys', () => {
    expectTypeOf<Wire<Session>>().branded.toEqualTypeOf<{
      readonly id: string;
      readonly tenant_id: string;
      readonly agent_id: string;
      readonly status: Session['status'];
      readonly metadata?: unknown;
      readonly created_at: string;
      readonly updated_at: string;
    }>();
    expectTypeOf<Wire<NewEvent>>().toHaveProperty('seq_num').toEqualTypeOf<number | undefined>();
    expectTypeOf(fromWire<'trace'>).returns.toEqualTypeOf<NewTrace>();
  });
});

describe('moments on the wire', () => {
  it.each([
    ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00.000Z'],
    ['2024-05-01T10:00:00.123456789+02:00', '2024-05-01T08:00:00.123Z'],
    ['2024-05-01T10:00:00.9-11:30', '2024-05-01T21:30:00.900Z'],
    ['2024-02-29T23:59:59.999999999Z', '2024-02-29T23:59:59.999Z'],
    ['1000-01-01T00:00:00Z', '1000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is %s', (text, iso) => {
    const { createdAt } = fromWire('event', wireWith('event', 'created_at', text));
    expect(createdAt?.toISOString()).toBe(iso);
  });

  it('every moment of the years 1000 to 9999 comes back', () => {
    const moments = fc.date({
      min: new Date('1000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(moments, (createdAt) => {
        expect(fromWire('event', toWire({ ...LEAST.event, createdAt })).createdAt).toEqual(createdAt);
      }),
    );
  });

  it.each([
    '',
    '1',
    '2024',
    '2024-05-01',
    'May 1 2024',
    '2024-05-01 10:00:00Z',
    '2024-05-01T10:00:00',
    '2024-05-01T10:00:00z',
    '2024-05-01T10:00:00+0200',
    '2024-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2024-13-01T00:00:00Z',
    '2024-05-01T25:00:00Z',
    '2024-05-01T10:61:00Z',
    '2024-05-01T10:00:00+25:00',
    '0999-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59-01:00',
    0,
    null,
    AT,
  ])('%s is refused', (value) => {
    expect(() => fromWire('event', wireWith('event', 'created_at', value))).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', argument: 'created_at' }),
    );
  });

  it('an open span of Go, whose end is its zero time, is open', () => {
    const wire = wireWith('trace', 'ended_at', '0001-01-01T00:00:00Z');
    expect(fromWire('trace', wire)).toStrictEqual(LEAST.trace);
  });
});

describe('what is refused', () => {
  it.each(kinds)('%s: a required key that is missing, by its name', (kind) => {
    const required = Object.keys(toWire(LEAST[kind]));
    expect(required.length).toBeGreaterThan(2);
    for (const key of required) {
      expect(() => fromWire(kind, wireWith(kind, key, undefined))).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', argument: key }),
      );
    }
  });

  const deep = JSON.parse(`${'['.repeat(1001)}${']'.repeat(1001)}`) as unknown;

  it.each([
    ['session', 'id', ''],
    ['session', 'id', 7],
    ['session', 'id', null],
    ['session', 'agent_id', 'x'.repeat(129)],
    ['session', 'status', 'a\0'],
    ['session', 'metadata', deep],
    ['memory', 'session_id', ''],
    ['memory', 'user_id', null],
    ['memory', 'key', '\ud800'],
    ['auditLog', 'actor', []],
    ['trace', 'error', { message: 'x' }],
    ['trace', 'parent_id', 'x'.repeat(256)],
    ['trace', 'ended_at', 'soon'],
    ['event', 'tenant_id', 'x'.repeat(129)],
    ['event', 'seq_num', '1'],
    ['event', 'seq_num', 1.5],
    ['event', 'seq_num', 2 ** 53],
    ['event', 'seq_num', null],
    ['checkpoint', 'state', () => 1],
  ] as const)('%s: %s that its field cannot hold', (kind, key, value) => {
    expect(() => fromWire(kind, wireWith(kind, key, value))).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', argument: key }),
    );
  });

  it('a place beyond 2^53 in a text is refused, not rounded', () => {
    const text = JSON.stringify(toWire(FULL.event[0])).replace('"seq_num":-1', '"seq_num":9007199254740993');
    expect(() => fromWire('event', text)).toThrow(expect.objectContaining({ argument: 'seq_num' }));
  });

  it.each([
    ['json', () => fromWire('event', '')],
    ['json', () => fromWire('event', '{"id":hunter2}')],
    ['json', () => fromWire('event', 'null')],
    ['json', () => fromWire('event', '[]')],
    ['json', () => fromWire('event', null as never)],
    ['json', () => fromWire('event', 7 as never)],
    ['kind', () => fromWire('events' as never, {})],
    ['kind', () => fromWire('toString' as never, {})],
    ['record', () => toWire(undefined as never)],
    ['record', () => toWire([] as never)],
    ['createdAt', () => toWire({ ...LEAST.event, createdAt: new Date(Number.NaN) })],
    ['createdAt', () => toWire({ ...LEAST.event, createdAt: ISO as never })],
    ['seqNum', () => toWire({ ...LEAST.event, seqNum: 0.5 })],
    ['payload.a[0]', () => toWire({ ...LEAST.event, payload: { a: [1n] } })],
    ['error', () => toWire({ ...LEAST.trace, error: 7 as never })],
  ])('%s', (argument, call) => {
    expect(call).toThrow(InvalidArgumentError);
    expect(call).toThrow(expect.objectContaining({ argument }));
    expect(call).not.toThrow(/hunter2/);
  });
});

it('a stored record comes back equal over the wire', async () => {
  const storage = (await openStorage('sqlite::memory:')).forTenant('acme');
  await storage.migrate();
  for (const [method, kind] of [
    ['createSession', 'session'],
    ['putMemory', 'memory'],
    ['appendAuditLog', 'auditLog'],
    ['insertTrace', 'trace'],
    ['appendEvent', 'event'],
    ['saveCheckpoint', 'checkpoint'],
  ] as const) {
    await storage[method](fromWire(kind, JSON.stringify(FULL[kind][1])) as never);
  }
  const found = [
    await storage.getSession('s'),
    await storage.getMemory('a', 'k'),
    ...(await storage.listAuditLogs('s')),
    await storage.getTrace('x'),
    ...(await storage.listEvents('s')),
    await storage.getCheckpoint('c'),
  ];
  const sent = kinds.map((kind) => ({ ...FULL[kind][1], tenant_id: 'acme' }));
  expect(found.map((record) => JSON.parse(JSON.stringify(toWire(record))))).toEqual(sent);
  await storage.close();
});
