import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openConnection } from '../../src/drivers/open.ts';
import { statement } from '../../src/sql/statement.ts';
import { variants } from '../variants.ts';
import { rejection } from './forms.ts';

const folder = mkdtempSync(join(tmpdir(), 'chronos-drivers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const insert = statement('insert', 'insert into t (id) values (?)', ['id']);
const all = statement('all', 'select id from t order by id');
const fill = statement('fill', 'insert into t (id) values (hex(randomblob(?)))', ['bytes']);

describe.skipIf(!variants.some(({ name }) => name === 'sqlite'))('a SQLite file', () => {
  let count = 0;
  let file: string;
  beforeEach(() => {
    count += 1;
    file = join(folder, `${count}.db`);
  });

  it('is made with auto_vacuum, WAL, and writes that are on disk', async () => {
    const db = await openConnection(file);
    await db.script('create table t (id text primary key) strict');
    const pragma = async (name: string) =>
      Object.values((await db.rows(statement('p', `pragma ${name}`), {}))[0] ?? {})[0];
    expect(await pragma('auto_vacuum')).toBe(2);
    expect(await pragma('journal_mode')).toBe('wal');
    await db.session(async (session) => {
      expect(await session.rows(statement('s', 'pragma synchronous'), {})).toEqual([{ synchronous: 2 }]);
    });
    await db.close();
    const fast = await openConnection(file, { synchronous: 'normal' });
    await fast.session(async (session) => {
      expect(await session.rows(statement('s', 'pragma synchronous'), {})).toEqual([{ synchronous: 1 }]);
    });
    await fast.close();
  });

  it('runs a statement that fails once: a trigger may keep what it did', async () => {
    const host = new Database(file);
    const open = {
      ours: () => openConnection(file),
      watched: () => openConnection(file, { onStatement: () => {} }),
      lent: () => openConnection(host),
    };
    for (const [which, connect] of Object.entries(open)) {
      const db = await connect();
      await db.script(`drop table if exists t;
        create table t (id text primary key) strict;
        create table if not exists seen (n int);
        create trigger keeps before insert on t when new.id = 'bad' begin
          insert into seen values (1);
          select raise(fail, 'no');
        end`);
      expect(await rejection(db.run(insert, { id: 'bad' }))).toMatchObject({ code: 'UNAVAILABLE' });
      await db.run(insert, { id: 'good' });
      expect(await rejection(db.run(insert, { id: 'good' }))).toMatchObject({ code: 'ALREADY_EXISTS' });
      const [seen] = await db.rows(statement('seen', 'select count(*) as n from seen'), {});
      expect([which, seen?.n]).toEqual([which, Object.keys(open).indexOf(which) + 1]);
      await db.close();
    }
    host.close();
  });

  it('runs nothing of others on the writer while a session has it', async () => {
    const db = await openConnection(file);
    await db.script('create table t (id text primary key) strict');
    let outside: Promise<number> | undefined;
    await db.session(async (session) => {
      outside = db.run(insert, { id: 'outside' });
      await session.run(insert, { id: 'inside' });
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(await session.rows(all, {})).toEqual([{ id: 'inside' }]);
    });
    expect(await outside).toBe(1);
    expect(await db.rows(all, {})).toEqual([{ id: 'inside' }, { id: 'outside' }]);
    await db.close();
  });

  it('is refused where its text is not in UTF-8, ours and lent', async () => {
    const other = new Database(file);
    other.pragma("encoding = 'UTF-16le'");
    other.exec('create table t (id text primary key) strict');
    const refused = { code: 'UNSUPPORTED', hint: expect.any(String) };
    expect(await rejection(openConnection(other))).toMatchObject(refused);
    other.close();
    expect(await rejection(openConnection(file))).toMatchObject(refused);
  });

  it('shows nothing of an open transaction to readers, who do not wait', async () => {
    const db = await openConnection(file);
    await db.script('create table t (id text primary key) strict');
    await db.transaction(async (tx) => {
      await tx.run(insert, { id: 'a' });
      expect(await db.rows(all, {})).toEqual([]);
      expect(await tx.rows(all, {})).toEqual([{ id: 'a' }]);
    });
    expect(await db.rows(all, {})).toEqual([{ id: 'a' }]);
    await db.close();
  });

  it('gives rows of an insert that returns them', async () => {
    const db = await openConnection(file);
    await db.script('create table t (id text primary key) strict');
    const returning = statement('r', 'insert into t (id) values (?) returning id', ['id']);
    expect(await db.rows(returning, { id: 'a' })).toEqual([{ id: 'a' }]);
    expect(await db.run(returning, { id: 'b' })).toBe(1);
    expect(await db.rows(all, {})).toEqual([{ id: 'a' }, { id: 'b' }]);
    await db.close();
  });

  it('waits for the lock of another process without blocking this one, then says that it is busy', async () => {
    const db = await openConnection(file);
    await db.script('create table t (id text primary key) strict');
    const other = new Database(file);
    other.exec('begin immediate');
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 5);
    const write = db.run(insert, { id: 'a' });
    const controller = new AbortController();
    const work = rejection(db.transaction(async () => undefined, { signal: controller.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    other.exec('commit');
    expect(await write).toBe(1);
    await work.catch(() => undefined);
    other.exec('begin immediate');
    expect(await rejection(db.run(insert, { id: 'b' }))).toMatchObject({
      reason: 'CONTENTION',
      retryable: true,
    });
    clearInterval(ticking);
    expect(turns).toBeGreaterThan(5);
    other.close();
    await db.close();
  });

  it('says when it is full, and that the transaction is lost with it', async () => {
    const host = new Database(file);
    host.exec('create table t (id text primary key) strict');
    host.pragma('max_page_count = 20');
    const db = await openConnection(host);
    const huge = { bytes: 200_000 };
    expect(await rejection(db.run(fill, huge))).toMatchObject({
      code: 'UNAVAILABLE',
      reason: 'STORAGE_FULL',
    });
    let first: Error | undefined;
    const work = db.transaction(async (tx) => {
      await tx.run(insert, { id: 'a' });
      first = await rejection(tx.run(fill, huge));
      if (!host.inTransaction) expect(await rejection(tx.run(insert, { id: 'b' }))).toBe(first);
      else throw first;
    });
    expect(await rejection(work)).toBe(first);
    expect(first).toMatchObject({ reason: 'STORAGE_FULL' });
    expect(await db.rows(all, {})).toEqual([]);
    await db.close();
    host.close();
  });

  it.each([
    ['a missing folder', () => join(folder, 'none', 'x.db'), /mkdir|does not exist/],
    ['a folder', () => folder, /is a folder/],
  ])('tells %s', async (_, path, problem) => {
    const error = await rejection(openConnection(`sqlite:${path()}`));
    expect(error).toMatchObject({
      code: 'INVALID_ARGUMENT',
      reason: 'BAD_URL',
      message: expect.stringMatching(problem),
    });
  });

  it('tells a file that is no database', async () => {
    writeFileSync(file, 'this is a letter, and a long one, to be no database '.repeat(40));
    const error = await rejection(openConnection(file));
    expect(error).toMatchObject({
      reason: 'BAD_URL',
      message: expect.stringContaining('not a SQLite database'),
    });
  });

  it('reads a file that it may not write, and says so when it writes', async () => {
    const made = new Database(file);
    made.exec("create table t (id text primary key); insert into t values ('a')");
    made.close();
    // Read-only by its own handle: root writes through a mode bit.
    const host = new Database(file, { readonly: true });
    const db = await openConnection(host);
    expect(await db.rows(all, {})).toEqual([{ id: 'a' }]);
    expect(await rejection(db.run(insert, { id: 'b' }))).toMatchObject({ reason: 'READ_ONLY' });
    expect(await rejection(db.script('create table u (id text)'))).toMatchObject({ reason: 'READ_ONLY' });
    await db.close();
    host.close();
  });

  it('serves many opens of one new file at once', async () => {
    const dbs = await Promise.all(Array.from({ length: 8 }, () => openConnection(file)));
    await dbs[0]?.script('create table t (id text primary key) strict');
    await Promise.all(dbs.map((db, i) => db.transaction((tx) => tx.run(insert, { id: `${i}` }))));
    expect(await dbs[7]?.rows(all, {})).toHaveLength(8);
    await Promise.all(dbs.map((db) => db.close()));
  });
});
