import { describe, expect, it } from 'vitest';
import { type Reason, UnavailableError } from '../../src/errors.ts';
import { stepFailure } from '../../src/migrate/step-failure.ts';
import { file } from './ledger.ts';

const step = { migration: file('app:0001_x'), direction: 'up', halfDone: false } as const;

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
      step,
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
      "Duplicate entry … for key 'a.b'",
    ],
    [
      "Incorrect integer value: 'hunter2' for column 'n' at row 1",
      { sqlState: '22007' },
      "Incorrect integer value: … for column 'n' at row 1",
    ],
    [
      'invalid input syntax for type integer: "hunter2"',
      { code: '22P02' },
      'invalid input syntax for type integer …',
    ],
    [`near 'identified by "hunter2' at line 1`, { sqlState: '42000' }, `near 'identified by '…'`],
    ['cannot reach postgres://me:hunter2@db/x', {}, 'cannot reach postgres://…@db/x'],
    ['near "alter role a password \'hunter2\'"', { code: '42601' }, 'near "alter role a password \'…\'"'],
  ])('hides values: %s', (message, codes, expected) => {
    const failure = stepFailure(step, thrown(message, codes));
    expect(failure.message).toBe(expected);
    expect(`${failure.error.message} ${failure.error.hint}`).not.toContain('hunter2');
  });

  it('is bounded', () => {
    expect(stepFailure(step, thrown('x'.repeat(9000))).message.length).toBeLessThan(400);
  });

  it('survives what is no error', () => {
    expect(stepFailure(step, 'oops').error.message).toContain('an unknown error');
  });
});
