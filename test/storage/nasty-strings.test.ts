import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejects } from '../../src/conformance/expect.ts';
import {
  type Fields,
  foundAlone,
  RECORD_KINDS,
  type RecordKind,
} from '../../src/conformance/record-kinds.ts';
import { AT, own, span } from '../../src/conformance/records.ts';
import { openStorage, type Storage } from '../../src/index.ts';
import { variants } from '../variants.ts';

const file = new URL('../data/strings/blns.json', import.meta.url);
const STRINGS = [...new Set(JSON.parse(readFileSync(file, 'utf8')) as readonly string[])];

it('the list is whole', () => {
  expect(STRINGS).toHaveLength(481);
  expect(STRINGS.every((text) => typeof text === 'string')).toBe(true);
});

/** Text fields of a kind that take a text, and those that do not. */
function fieldsFor({ texts }: RecordKind, text: string): readonly [takes: string[], refuses: string[]] {
  const [takes, refuses]: [string[], string[]] = [[], []];
  for (const [field, { max, filled }] of Object.entries(texts)) {
    const fits = [...text].length <= max && !(filled && text === '');
    (fits ? takes : refuses).push(field);
  }
  return [takes, refuses];
}

/** A record that holds a text in every field that takes it. */
function holding(kind: RecordKind, text: string): Fields {
  const fields = [...fieldsFor(kind, text)[0], ...Object.keys(kind.json)];
  return kind.make(Object.fromEntries(fields.map((field) => [field, text])));
}

/** A record that holds all of them in each JSON field, as values and as names. */
function holdingAll(kind: RecordKind): Fields {
  const value = { list: STRINGS, names: Object.fromEntries(STRINGS.map((text, n) => [text, n])) };
  return kind.make(Object.fromEntries(Object.keys(kind.json).map((field) => [field, value])));
}

/** One transaction: a thousand commits would take their time. */
async function roundTrip(
  storage: Storage,
  kind: RecordKind,
  store: (tx: Storage, records: readonly Fields[]) => Promise<unknown>,
): Promise<void> {
  await storage.transaction(async (tx) => {
    const records = [...STRINGS.map((text) => holding(kind, text)), holdingAll(kind)];
    await store(tx, records);
    for (const record of records) await foundAlone(kind, tx, record);
  });
}

describe.each(variants)('nasty strings on $name', (variant) => {
  let storage: Storage;
  beforeAll(async () => {
    storage = await openStorage((await variant.createDatabase('nasty')).url);
    await storage.migrate();
  });
  afterAll(() => storage.close());

  for (const kind of RECORD_KINDS) {
    it(`${kind.name}: exact in every text and JSON field`, async () => {
      await roundTrip(storage.forTenant(kind.name), kind, async (tx, records) => {
        for (const record of records) await kind.store(tx, record);
      });
    });

    const { storeMany } = kind;
    if (storeMany) {
      it(`${kind.name}: likewise in one batch`, async () => {
        await roundTrip(storage.forTenant(`${kind.name}, batch`), kind, storeMany.call);
      });
    }

    it(`${kind.name}: refused by the field's name where it is too long or empty`, async () => {
      const record = kind.make();
      for (const text of STRINGS) {
        for (const field of fieldsFor(kind, text)[1]) {
          await rejects(() => kind.store(storage, { ...record, [field]: text }), 'INVALID_ARGUMENT', field);
        }
      }
    });
  }

  it("a trace's error holds each of them", async () => {
    await storage.forTenant('errors').transaction(async (tx) => {
      const spans = STRINGS.map((error, n) => span({ id: `t${n}`, error, startedAt: AT }));
      for (const one of spans) await tx.insertTrace(one);
      for (const one of spans) expect(own(await tx.getTrace(one.id))).toEqual(one);
      const ends = STRINGS.toReversed();
      for (const [n, error] of ends.entries()) await tx.endTrace(`t${n}`, { error });
      for (const [n, error] of ends.entries()) expect((await tx.getTrace(`t${n}`)).error).toBe(error);
    });
  });

  it('each of them is a tenant, the empty one the default', async () => {
    const tenants = STRINGS.filter((text) => [...text].length <= 128);
    for (const tenant of tenants) {
      const bound = storage.forTenant(tenant);
      await bound.createSession({ id: 'of the tenant', agentId: 'a', status: 'x', metadata: tenant });
    }
    for (const tenant of tenants) {
      const { tenantId, metadata } = await storage.forTenant(tenant).getSession('of the tenant');
      expect([tenantId, metadata]).toEqual([tenant || 'default', tenant]);
    }
  });
});
