import { describe, expect, it } from 'vitest';
import type { Connection } from '../../src/drivers/connection.ts';
import { UnavailableError } from '../../src/errors.ts';
import { ranNothing } from '../../src/migrate/engines/mysql-nothing.ts';
import { statementsOf } from '../../src/migrate/text/statements.ts';

function answer(errno: number, message = ''): Error {
  const cause = Object.assign(new Error(message), { errno });
  return new UnavailableError('script: the database reported an error', { cause });
}

/** A server in the database `app`, in which `there` are routines, and which reads what `reads` says. */
function server({ there = [] as readonly string[], prepares = undefined as Error | undefined } = {}) {
  const session: Pick<Connection, 'rows' | 'run' | 'script'> = {
    rows: async (_, { database, name }) => {
      const home = String(database ?? 'app');
      return [{ home, found: there.includes(`${home}.${name}`) ? 1 : 0 }];
    },
    run: async () => 0,
    script: async () => {
      if (prepares !== undefined) throw prepares;
    },
  };
  return session as Connection;
}

const proven = (sql: string, thrown: unknown, session = server()) => {
  const [statement] = statementsOf(sql, 'mysql');
  if (statement === undefined) throw new Error('no statement');
  return ranNothing(session, statement, thrown);
};
const missing = (name: string) => answer(1305, `PROCEDURE ${name} does not exist`);

describe('a CALL that failed has done nothing', () => {
  it.each([
    ['call nothere()', 'app.nothere'],
    ['CALL `no``where`(1, 2)', 'app.no`where'],
    ['call Other.P', 'other.p'],
    ['call `other` . p ()', 'other.p'],
  ])('where %s names a routine that is not there', async (sql, name) => {
    expect(await proven(sql, missing(name))).toBe(true);
  });

  it('where the server cannot read it', async () => {
    const session = server({ prepares: answer(1064) });
    expect(await proven('call p(', answer(1064), session)).toBe(true);
  });
});

describe('that is not proven', () => {
  it.each([
    ['of a routine that is there and calls one that is not', 'call p()', missing('app.q')],
    ['of a routine that is there', 'call there()', missing('app.there')],
    ['of the same name in another database', 'call p()', missing('other.p')],
    ['of a routine in a package', 'call app.pkg.p()', missing('app.pkg.p')],
    ['by words that are not known', 'call p()', answer(1305, 'PROZEDUR app.p fehlt')],
    ['by a syntax error in text that a routine prepares', 'call p()', answer(1064)],
    ['by another error', 'call p()', answer(1062)],
    ['by no error of the server', 'call p()', new Error('x')],
    ['of a block', 'begin not atomic call p(); end', missing('app.p')],
    ['of code in a comment', '/*!50000 call p() */ call p()', answer(1062)],
  ])('%s', async (_, sql, thrown) => {
    expect(await proven(sql, thrown, server({ there: ['app.there'] }))).toBe(false);
  });

  it('where the server does not answer', async () => {
    const fails = () => Promise.reject(new Error('gone'));
    const session = { rows: fails, run: fails, script: fails } as unknown as Connection;
    for (const thrown of [missing('app.p'), answer(1064)]) {
      expect(await proven('call p()', thrown, session)).toBe(false);
    }
  });
});
