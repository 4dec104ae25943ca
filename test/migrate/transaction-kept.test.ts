import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hostFileProblem } from '../../src/migrate/text/host-file-problem.ts';

const PIECES = [
  ...[
    'select 1',
    'commit',
    'end',
    'begin',
    'rollback',
    'rollback to a',
    'savepoint a',
    'create table x (a)',
    ';',
    ';',
  ],
  ...[
    "'",
    '"',
    '`',
    '[',
    ']',
    '/*',
    '*/',
    '--',
    '\n',
    '\r',
    '\\',
    'e',
    '$$',
    '\uFEFF',
    ' ',
    ' ',
    'as',
    'case',
    ',',
  ],
  'create trigger t after insert on x begin select 1; end',
];

// Asks SQLite itself, which runs a script statement by statement and says afterwards where it stands.
it('a file that is taken never ends the transaction of SQLite', () => {
  const database = new Database(':memory:');
  const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(' '));
  fc.assert(
    fc.property(texts, (sql) => {
      fc.pre(hostFileProblem(sql, 'sqlite') === undefined);
      database.exec('begin');
      try {
        database.exec(sql);
      } catch {
        // Most are nonsense: what matters is what ran before the nonsense.
      }
      expect(database.inTransaction).toBe(true);
      database.exec('rollback');
    }),
    { numRuns: 2000 },
  );
  database.close();
});
