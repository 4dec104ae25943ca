import assert from 'node:assert/strict';
import { newId } from '../index.ts';
import { byCodePoint, event, idsOf, rejects } from './expect.ts';
import { type Fields, foundAlone, foundNowhere, RECORD_KINDS, type RecordKind } from './record-kinds.ts';
import { AT } from './records.ts';
import type { Case, Conformance, Topic } from './suite.ts';
import { TEXT_ARGUMENTS } from './text-arguments.ts';
import { NO_TEXTS, TELLING, TEXTS, wide } from './texts.ts';

function sorted(test: Case): void {
  test('ids are exact and sort by code point: events', async (storage) => {
    for (const id of TEXTS) {
      assert.ok(
        (await storage.appendEvent(event({ id, sessionId: 's', payload: id }))).inserted,
        JSON.stringify(id),
      );
    }
    const found = await storage.listEvents('s');
    assert.deepEqual(idsOf(found), TEXTS.toSorted(byCodePoint));
    for (const { id, payload } of found) assert.equal(payload, id);
    for (const id of TEXTS) {
      assert.ok(!(await storage.appendEvent(event({ id, sessionId: 's' }))).inserted, JSON.stringify(id));
    }
  });

  test('ids are exact and sort by code point: sessions', async (storage) => {
    const each = (work: (id: string) => Promise<unknown>): Promise<unknown> => Promise.all(TEXTS.map(work));
    await each((id) => storage.createSession({ id, agentId: 'a', status: 'x', metadata: id, createdAt: AT }));
    await each((id) => storage.updateSession({ id, status: 'seen', metadata: [id] }));
    await each(async (id) => {
      const found = await storage.getSession(id);
      assert.deepEqual([found.id, found.metadata], [id, [id]]);
    });
    const oldestFirst = TEXTS.toSorted(byCodePoint);
    assert.deepEqual(idsOf(await storage.listSessions('', 1000)), oldestFirst.toReversed());
  });
}

function sortedBatches(test: Case): void {
  test('ids are exact and sort by code point: events of a batch', async (storage) => {
    const [first, ...rest] = TEXTS.map((id) => event({ id, sessionId: 's', payload: id }));
    await storage.appendEvent(first!);
    const { inserted } = await storage.appendEvents([first!, ...rest, ...rest]);
    assert.equal(inserted, rest.length);
    assert.deepEqual(idsOf(await storage.listEvents('s')), TEXTS.toSorted(byCodePoint));
    assert.equal((await storage.appendEvents(rest.toReversed())).inserted, 0);
  });

  test('ids are exact and sort by code point: spans of a batch', async (storage) => {
    const spans = TEXTS.map((id) => ({ id, sessionId: 's', name: id, kind: 'node', startedAt: AT }));
    await storage.insertTraces([...spans, ...spans]);
    await storage.insertTraces(spans.toReversed());
    const found = await storage.listTraces('s');
    assert.deepEqual(idsOf(found), TEXTS.toSorted(byCodePoint));
    for (const { id, name } of found) assert.equal(name, id);
  });
}

/** A record with this text in each text field that takes it. */
function filledWith(kind: RecordKind, text: string): Fields {
  const length = [...text].length;
  const fits = Object.entries(kind.texts).filter(
    ([, { max, filled }]) => length <= max && !(filled && text === ''),
  );
  return kind.make(Object.fromEntries(fits.map(([field]) => [field, text])));
}

function exact(test: Case, kind: RecordKind, supports: Conformance['supports']): void {
  test(`${kind.name}: every text field is exact, and found by what it holds`, async (storage) => {
    const records = ['', ...TELLING, ...TEXTS.slice(-4)].map((text) => filledWith(kind, text));
    const many = supports.batches === true ? kind.storeMany : undefined;
    const alone = records.filter((_, n) => !many || n % 2 === 0);
    await Promise.all(alone.map((record) => kind.store(storage, record)));
    await many?.call(
      storage,
      records.filter((_, n) => n % 2 === 1),
    );
    await Promise.all(records.map((record) => foundAlone(kind, storage, record)));
  });

  test(`${kind.name}: lengths count code points: the longest is taken, one more is refused`, async (storage) => {
    const texts = Object.entries(kind.texts);
    const longest = kind.make(Object.fromEntries(texts.map(([field, { max }]) => [field, wide(max)])));
    await kind.store(storage, longest);
    await foundAlone(kind, storage, longest);
    const record = kind.make();
    for (const [field, { max }] of texts) {
      for (const long of [wide(max + 1), 'x'.repeat(max + 1), `${'x'.repeat(max)} `]) {
        await rejects(() => kind.store(storage, { ...record, [field]: long }), 'INVALID_ARGUMENT', field);
      }
    }
    await foundNowhere(kind, storage, record);
  });

  test(`${kind.name}: what is no text, and empty ids, are refused by the field's name`, async (storage) => {
    const record = kind.make();
    const many = supports.batches === true ? kind.storeMany : undefined;
    for (const [field, { filled, optional }] of Object.entries(kind.texts)) {
      for (const bad of [...NO_TEXTS, ...(filled ? [''] : []), ...(optional ? [] : [undefined])]) {
        const spoilt = { ...record, [field]: bad };
        await rejects(() => kind.store(storage, spoilt), 'INVALID_ARGUMENT', field);
        if (!many) continue;
        const path = `${many.argument}[1].${field}`;
        await rejects(() => many.call(storage, [record, spoilt]), 'INVALID_ARGUMENT', path);
      }
    }
    await foundNowhere(kind, storage, record);
  });
}

function asked(test: Case, supports: Conformance['supports']): void {
  test('text arguments: what is no text, too long or an empty id is refused by its name', async (storage) => {
    for (const { argument, rule, needs, call } of TEXT_ARGUMENTS) {
      if (needs && supports[needs] !== true) continue;
      const { max, filled, optional } = rule;
      const empty = [...(filled ? [''] : []), ...(optional ? [] : [undefined])];
      for (const bad of [...NO_TEXTS, wide(max + 1), 'x'.repeat(max + 1), ...empty]) {
        await rejects(() => call(storage, bad as string), 'INVALID_ARGUMENT', argument);
      }
    }
  });

  test('text arguments: the longest is looked for', async (storage) => {
    const longest = wide(255);
    assert.deepEqual(await storage.listEvents(longest), []);
    assert.deepEqual(await storage.listSessions(wide(128)), []);
    assert.deepEqual(await storage.listMemory(wide(128), wide(64)), []);
    await rejects(() => storage.getMemory(wide(128), wide(128)), 'NOT_FOUND');
    await rejects(() => storage.getSession(longest), 'NOT_FOUND');
    await rejects(() => storage.getTrace(longest), 'NOT_FOUND');
    await rejects(() => storage.getLatestCheckpoint(longest), 'NOT_FOUND');
  });
}

export const ids: Topic = {
  cases: (test, supports) => {
    sorted(test);
    if (supports.batches === true) sortedBatches(test);
    for (const kind of RECORD_KINDS) exact(test, kind, supports);
    asked(test, supports);
    test('newId: UUIDv7, each greater than the one before', async () => {
      const made = Array.from({ length: 5000 }, () => newId());
      assert.ok(
        made.every((id) => /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)),
      );
      assert.deepEqual(made.toSorted(), made);
      assert.equal(new Set(made).size, made.length);
    });
  },
};
