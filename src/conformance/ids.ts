import assert from 'node:assert/strict';
import { newId } from '../index.ts';
import { byCodePoint, event, idsOf, rejects } from './expect.ts';
import type { Case, Topic } from './suite.ts';

/** Texts that collations, normal forms, trimming and decoders like to confuse. */
const TEXTS: readonly string[] = [
  ...[
    'a',
    'A',
    'b',
    'B',
    'z',
    'Z',
    '0',
    '9',
    '10',
    '-',
    '_',
    '%',
    '?',
    '$1',
    ':a',
    "'",
    '"',
    '`',
    '\\',
    '\\n',
  ],
  ...['a ', 'a  ', ' a', 'a\t', 'a\n', 'a\r\n', 'a\u00a0', '\u0001', '\u001a', '\u007f', '\u0085'],
  ...[
    'é',
    'e\u0301',
    'É',
    'ê',
    'ß',
    'ss',
    'SS',
    'ẞ',
    'ı',
    'i',
    'I',
    'İ',
    'ä',
    'ae',
    'æ',
    'ﬁ',
    'fi',
    '\u00c5',
    'A\u030a',
    '\u212b',
  ],
  ...['\ufeff', '\ufeffa', 'a\ufeff', '\u200b', 'a\u200b', '\u202ea', 'ａ', '①', '1', '²', '２'],
  ...['\ud7ff', '\ue000', '\ufffd', '\uffff', '😀', '👩‍👩‍👧', '𝒜', '\u{10ffff}', '日本', '中', 'ไ', 'א'],
  ...[
    'null',
    'NULL',
    'true',
    '{}',
    '[]',
    '"a"',
    '{a,b}',
    'DROP TABLE',
    '0x41',
    '1e3',
    '__proto__',
    'constructor',
  ],
  ...['x'.repeat(255), '😀'.repeat(255), 'é'.repeat(255), `${'x'.repeat(254)} `],
];

function exact(test: Case): void {
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

  test('ids are exact and sort by code point: events of a batch', async (storage) => {
    const [first, ...rest] = TEXTS.map((id) => event({ id, sessionId: 's', payload: id }));
    await storage.appendEvent(first!);
    const { inserted } = await storage.appendEvents([first!, ...rest, ...rest]);
    assert.equal(inserted, rest.length);
    assert.deepEqual(idsOf(await storage.listEvents('s')), TEXTS.toSorted(byCodePoint));
    assert.equal((await storage.appendEvents(rest.toReversed())).inserted, 0);
  });

  test('ids are exact and sort by code point: sessions', async (storage) => {
    const createdAt = new Date('2024-01-01T00:00:00.000Z');
    const each = (work: (id: string) => Promise<unknown>): Promise<unknown> => Promise.all(TEXTS.map(work));
    await each((id) => storage.createSession({ id, agentId: 'a', status: 'x', metadata: id, createdAt }));
    await each((id) => storage.updateSession({ id, status: 'seen', metadata: [id] }));
    await each(async (id) => {
      const found = await storage.getSession(id);
      assert.deepEqual([found.id, found.metadata], [id, [id]]);
    });
    const sorted = TEXTS.toSorted(byCodePoint).toReversed();
    assert.deepEqual(idsOf(await storage.listSessions('', 1000)), sorted);
    const page = await storage.listSessionsPaged({ status: 'seen' }, 1000, '', { direction: 'backward' });
    assert.deepEqual(idsOf(page.sessions), sorted.toReversed());
  });

  test('session, agent, status and type are exact too', async (storage) => {
    const texts = TEXTS.filter((text) => [...text].length <= 64);
    const each = (work: (text: string) => Promise<unknown>): Promise<unknown> => Promise.all(texts.map(work));
    await each((text) => storage.createSession({ id: newId(), agentId: text, status: text }));
    await each((text) => storage.appendEvent(event({ sessionId: text, type: text })));
    await each(async (text) => {
      const found = await storage.listSessions(text);
      assert.deepEqual(
        found.map(({ agentId, status }) => [agentId, status]),
        [[text, text]],
      );
      assert.equal((await storage.listSessionsPaged({ status: text })).sessions.length, 1);
      assert.deepEqual(
        (await storage.listEvents(text)).map(({ sessionId, type }) => [sessionId, type]),
        [[text, text]],
      );
    });
  });
}

function refused(test: Case): void {
  test('lengths count code points: the longest is taken, one more is refused', async (storage) => {
    const full = (max: number): string => '😀'.repeat(max);
    await storage.createSession({ id: full(255), agentId: full(128), status: full(64) });
    await storage.appendEvent(event({ id: full(255), sessionId: full(255), type: full(64) }));
    assert.equal((await storage.listEvents(full(255)))[0]!.type, full(64));
    const session = { id: 'x', agentId: 'a', status: 'x' };
    const one = event({ sessionId: 's' });
    await rejects(() => storage.createSession({ ...session, id: full(256) }), 'INVALID_ARGUMENT', 'id');
    await rejects(
      () => storage.createSession({ ...session, agentId: full(129) }),
      'INVALID_ARGUMENT',
      'agentId',
    );
    await rejects(
      () => storage.createSession({ ...session, status: full(65) }),
      'INVALID_ARGUMENT',
      'status',
    );
    await rejects(() => storage.appendEvent({ ...one, id: full(256) }), 'INVALID_ARGUMENT', 'id');
    await rejects(
      () => storage.appendEvent({ ...one, sessionId: full(256) }),
      'INVALID_ARGUMENT',
      'sessionId',
    );
    await rejects(() => storage.appendEvent({ ...one, type: full(65) }), 'INVALID_ARGUMENT', 'type');
    await rejects(() => storage.getSession(full(256)), 'INVALID_ARGUMENT', 'id');
    await rejects(() => storage.listSessions(full(129)), 'INVALID_ARGUMENT', 'agentId');
    await rejects(() => storage.listSessionsPaged({ status: full(65) }), 'INVALID_ARGUMENT', 'status');
    await rejects(() => storage.listEvents(full(256)), 'INVALID_ARGUMENT', 'sessionId');
    await rejects(() => storage.listEventsPaged(full(256)), 'INVALID_ARGUMENT', 'sessionId');
  });

  test('empty ids and agents, NUL, lone surrogates and what is no text are refused', async (storage) => {
    const session = { id: 'x', agentId: 'a', status: 'x' };
    for (const bad of ['', 'a\0b', '\0', '\ud800', 'a\udc00b', '😀\ud83d', undefined, null, 7, {}, ['a']]) {
      const text = bad as string;
      await rejects(() => storage.createSession({ ...session, id: text }), 'INVALID_ARGUMENT', 'id');
      await rejects(
        () => storage.createSession({ ...session, agentId: text }),
        'INVALID_ARGUMENT',
        'agentId',
      );
      await rejects(() => storage.appendEvent(event({ id: text, sessionId: 's' })), 'INVALID_ARGUMENT', 'id');
      await rejects(() => storage.getSession(text), 'INVALID_ARGUMENT', 'id');
      await rejects(() => storage.updateSessionStatus(text, 'x'), 'INVALID_ARGUMENT', 'id');
      if (bad === '') continue;
      await rejects(() => storage.createSession({ ...session, status: text }), 'INVALID_ARGUMENT', 'status');
      await rejects(() => storage.appendEvent(event({ sessionId: text })), 'INVALID_ARGUMENT', 'sessionId');
      await rejects(
        () => storage.appendEvent(event({ sessionId: 's', type: text })),
        'INVALID_ARGUMENT',
        'type',
      );
      await rejects(() => storage.listEvents(text), 'INVALID_ARGUMENT', 'sessionId');
    }
    assert.deepEqual(await storage.listSessions(), []);
    assert.deepEqual(await storage.listEvents('s'), []);
  });

  test('newId: UUIDv7, each greater than the one before', async () => {
    const made = Array.from({ length: 5000 }, () => newId());
    assert.ok(
      made.every((id) => /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)),
    );
    assert.deepEqual(made.toSorted(), made);
    assert.equal(new Set(made).size, made.length);
  });
}

export const ids: Topic = {
  cases: (test) => {
    exact(test);
    refused(test);
  },
};
