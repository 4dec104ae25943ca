import { describe, expect, it } from 'vitest';
import { type Reason, UnavailableError } from '../../src/errors.ts';
import { stepFailure } from '../../src/migrate/step-failure.ts';
import { file } from './ledger.ts';

const step = { migration: file('app:0001_x'), direction: 'up', partial: null } as const;

/** What our drivers throw around an engine's error. */
function thrown(message: string, facts: { code?: string; sqlState?: string; reason?: Reason } = {}): Error {
  const { reason = 'DATABASE_ERROR', ...codes } = facts;
  return new UnavailableError('script: the database reported an error', {
    reason,
    cause: Object.assign(new Error(message), codes),
  });
}

describe('the failure of a step', () => {
  it("has the engine's own words and code in one line", () => {
    const { error, code, message } = stepFailure(
      { ...step, migration: { ...step.migration, up: 'create x' } },
      thrown('syntax error\n at or near "x"', { code: '42601' }),
    );
    expect(error).toMatchObject({ reason: 'MIGRATION_FAILED', migration: 'app:0001_x' });
    expect(error.message).toBe('app:0001_x (up) failed: syntax error at or near "x"');
    expect([code, message]).toEqual(['42601', 'syntax error at or near "x"']);
  });

  it.each<Reason>([
    'PRIVILEGE',
    'STORAGE_FULL',
    'READ_ONLY',
    'EXTENSION_MISSING',
    'CONNECTION_LOST',
    'INTERRUPTED',
  ])('keeps the reason %s', (reason) =>
    expect(stepFailure(step, thrown('no', { reason })).error.reason).toBe(reason),
  );

  it.each<Reason>(['CONTENTION', 'TIMEOUT', 'DATABASE_ERROR'])('is MIGRATION_FAILED for %s', (reason) => {
    expect(stepFailure(step, thrown('no', { reason })).error.reason).toBe('MIGRATION_FAILED');
  });

  it('is partial after the first statement of a file', () => {
    const place = { statement: 3, statements: 5, line: 12 };
    expect(stepFailure(step, thrown('no'), place).error).toMatchObject({
      reason: 'MIGRATION_PARTIAL',
      statement: 3,
      message: 'app:0001_x (up) failed at statement 3 of 5, line 12: no',
    });
    expect(stepFailure(step, thrown('no'), { ...place, statement: 1 }).error.reason).toBe('MIGRATION_FAILED');
  });

  it.each([
    [
      "Duplicate entry 'hunter2' for key 'a.b'",
      { code: 'ER_DUP_ENTRY', sqlState: '23000' },
      "Duplicate entry '…' for key 'a.b'",
    ],
    [
      "Incorrect integer value: 'hunter2' for column 'n' at row 1",
      { sqlState: '22007' },
      "Incorrect integer value: '…' for column 'n' at row 1",
    ],
    [
      'invalid input syntax for type integer: "hunter2"',
      { code: '22P02' },
      'invalid input syntax for type integer: "…"',
    ],
    [`near 'identified by "hunter2' at line 1`, { sqlState: '42000' }, `near '…' at line 1`],
    ['cannot reach postgres://me:hunter2@db/x', {}, 'cannot reach postgres://…@db/x'],
    ['near "alter role a password \'hunter2\'"', { code: '42601' }, 'near "…"'],
    ["near 'values ('a', 'hunter2')' at line 3", { sqlState: '42000' }, "near '…' at line 3"],
    [
      "Incorrect value: 'it's hunter2' for column 'n' at row 1",
      {},
      "Incorrect value: '…' for column 'n' at row 1",
    ],
    [`unrecognized token: "'hunter2"`, {}, 'unrecognized token: "…"'],
    [
      `unterminated quoted string at or near "'hunter2`,
      { code: '42601' },
      'unterminated quoted string at or near "…"',
    ],
    ["Unknown column 'x' in 'hunter2'", {}, "Unknown column 'x' in '…'"],
    [
      'the key is hunter2',
      { code: 'P0001' },
      'raised by the SQL itself; the text is in the cause of the error',
    ],
    ['hunter2', { sqlState: '45000' }, 'raised by the SQL itself; the text is in the cause of the error'],
    [
      'hunter2',
      { code: 'SQLITE_CONSTRAINT_TRIGGER' },
      'raised by the SQL itself; the text is in the cause of the error',
    ],
  ])('hides values: %s', (message, codes, expected) => {
    const failure = stepFailure(step, thrown(message, codes));
    expect(failure.message).toBe(expected);
    expect(`${failure.error.message} ${failure.error.hint}`).not.toContain('hunter2');
  });

  it.each([
    'relation "nowhere" does not exist',
    'column "a" of relation "s.b" does not exist',
    "Table 'db.nowhere' doesn't exist",
    "Duplicate column name 'id'",
    "Can't DROP 'x'; check that column/key exists",
    'UNIQUE constraint failed: widgets.id',
    'near ")": syntax error',
    'a foreign key constraint fails (`db`.`t`, CONSTRAINT `x` FOREIGN KEY (`a`))',
  ])('keeps names: %s', (message) => expect(stepFailure(step, thrown(message)).message).toBe(message));

  it.each([
    [`select 'it's hunter2'`, 'syntax error at or near "s"', 'syntax error at or near "…"'],
    [`select 'abc' hunter2'`, 'syntax error at or near "hunter2"', 'syntax error at or near "…"'],
    ['insert into a values ("hunter2")', 'column "hunter2" does not exist', 'column "…" does not exist'],
    [`do $$ begin perform f('hunter2'); end $$`, 'role "hunter2" does not exist', 'role "…" does not exist'],
    ['select * from "Widget"', 'relation "Widget" does not exist', 'relation "Widget" does not exist'],
    ['do $$ begin perform nowhere(); end $$', 'function "nowhere" not found', 'function "nowhere" not found'],
    [`select 'it's my; hunter2', 'x'`, 'near "hunter2": syntax error', 'near "…": syntax error'],
    [`create tabel a (b text default 'c')`, 'near "tabel": syntax error', 'near "tabel": syntax error'],
    [`select 1 a, 'b'; creat`, 'near "creat": syntax error', 'near "…": syntax error'],
    ['creat table x', 'syntax error at or near "creat"', 'syntax error at or near "creat"'],
  ])('hides a name that the statement has as a literal: %s', (up, message, expected) => {
    const one = { ...step, migration: { ...step.migration, up } };
    expect(stepFailure(one, thrown(message)).message).toBe(expected);
  });

  it('is bounded', () => {
    expect(stepFailure(step, thrown('x'.repeat(9000))).message.length).toBeLessThan(400);
  });

  it('survives what is no error', () => {
    expect(stepFailure(step, 'oops').error.message).toContain('an unknown error');
  });
});
