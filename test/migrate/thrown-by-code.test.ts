import { describe, expect, it, vi } from 'vitest';
import type { MigrationError } from '../../src/index.ts';
import { oneOfEachDriver, type PerLanguage, type Variant } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { keepPgliteOpen } from './kept-open.ts';
import { migrating } from './migrating.ts';

keepPgliteOpen();

// A case opens PGlite many times, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

/** Bodies that throw what no database threw, and what must be told of it, whole. */
const OWN: readonly (readonly [body: string, told: string])[] = [
  [`throw 'no "luck"'`, `the code threw 'no "luck"'`],
  ['throw null', 'the code threw null'],
  ['return Promise.reject(undefined)', 'the code threw undefined'],
  ['throw 7n', 'the code threw 7n'],
  [
    `throw { message: 'no luck', code: 7, deep: { key: 'hunter2' } }`,
    `the code threw { message: 'no luck', code: 7, deep: [Object] }`,
  ],
  [`throw new Error('')`, 'an error without a message'],
  [`throw new Error('no "b" in \\'c\\'; d')`, `no "b" in 'c'; d`],
  [`const ring = new Error('a ring'); ring.cause = ring; throw ring`, 'a ring'],
  [`const ring = new Error('out'); ring.cause = new Error('in', { cause: ring }); throw ring`, 'out: in'],
  [`throw new TypeError('no luck')`, 'TypeError: no luck'],
  [`throw Object.assign(new Error(''), { message: 5, name: null })`, '5'],
  ...['message', 'cause', 'name', 'sqlState'].map((name): [string, string] => [
    `throw Object.defineProperty(new Error('x'), '${name}', { get() { throw new Error('y'); } })`,
    'the code threw something that cannot be read',
  ]),
  [
    `throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 1; } })`,
    'the code threw something that cannot be read',
  ],
  [
    `throw new Error('outer', { cause: new RangeError('it\\'s "inner"') })`,
    `outer: RangeError: it's "inner"`,
  ],
  [`return knex('w').where('a', undefined)`, 'Undefined binding(s) detected when compiling SELECT'],
  [`return knex.raw("select 'hunter2', :a", { a: undefined })`, "when compiling RAW query: select '…', :a"],
  [`return knex('w').where(knex.raw('a = ?', ['hunter2', 1]))`, 'Expected 2 bindings, saw 1'],
  [`return knex.transaction(() => { throw new Error('it is "over"'); })`, 'it is "over"'],
];

const TWICE: PerLanguage<string> = {
  postgres: 'duplicate key value violates unique constraint "w_name_unique"',
  mysql: "Duplicate entry '…' for key '",
  sqlite: 'UNIQUE constraint failed: w.name',
};
const NOWHERE: PerLanguage<string> = {
  postgres: 'relation "nowhere" does not exist',
  mysql: "nowhere' doesn't exist",
  sqlite: 'no such table: nowhere',
};
const TABLE = `await knex.schema.dropTableIfExists('w');
  await knex.schema.createTable('w', (table) => table.string('name', 50).unique());
  await knex('w').insert({ name: 'hunter2' });
  const again = () => knex('w').insert({ name: 'hunter2' });`;

/** Bodies in which the database refuses a value. */
const REFUSED: Readonly<Record<string, string>> = {
  'a bound value': 'return again();',
  'a literal': `return knex.raw("insert into w (name) values ('hunter2')");`,
  'a value in a transaction': `return knex.transaction((trx) => trx('w').insert({ name: 'hunter2' }));`,
  'a value that the code repeats': `return knex.transaction((trx) => trx('w').insert({ name: 'hunter2' }))
    .catch((error) => { throw new Error('filling: ' + error.message); });`,
  'a value below': `return knex.transaction((trx) => trx('w').insert({ name: 'hunter2' }))
    .catch((cause) => { throw new Error('filling', { cause }); });`,
};

/** Runs one migration of code and gives how it failed, and what the log says of that. */
async function failing(url: string, body: string): Promise<{ error: MigrationError; log: string }> {
  const dir = await hostFolder({ '0001_x.mjs': `export async function up({ knex }) { ${body} }` });
  return migrating(url, { dir }, async (migrator) => {
    const error = await migrator.up().then(
      () => expect.fail('it did not fail'),
      (thrown) => thrown,
    );
    const log = JSON.stringify(await migrator.history());
    if ((await migrator.status()).partial !== null)
      await migrator.repair({ migration: '0001_x', as: 'again' });
    return { error, log };
  });
}

describe.each(oneOfEachDriver)('what code throws on $name', (variant: Variant) => {
  it('is told whole where it is not of the database, whatever it is', async () => {
    const { url } = await variant.createDatabase('thrown');
    for (const [body, told] of OWN) {
      const { error } = await failing(url, body);
      expect(error, body).toMatchObject({ code: 'MIGRATION', migration: 'app:0001_x' });
      expect(error.message, body).toContain(told);
      expect(error.message, body).not.toMatch(/hunter2|the database reported/);
    }
  });

  it('is bounded', async () => {
    const { url } = await variant.createDatabase('thrown');
    for (const thrown of [`'x'.repeat(9000)`, `new Error('x'.repeat(9000))`, `Array(9000).fill('xxx')`]) {
      expect((await failing(url, `throw ${thrown}`)).error.message.length).toBeLessThan(1200);
    }
  });

  it.each(Object.entries(REFUSED))('holds no value of the database’s words: %s', async (_, body) => {
    const { url } = await variant.createDatabase('thrown');
    const { error, log } = await failing(url, `${TABLE} ${body}`);
    expect(error.message).toContain(TWICE[variant.language]);
    expect(error.message + log).not.toMatch(/hunter2|insert into/);
  });

  it('names what the database names', async () => {
    const { url } = await variant.createDatabase('thrown');
    const { error } = await failing(url, `return knex('nowhere').insert({ name: 'nobody' });`);
    expect(error.message).toContain(NOWHERE[variant.language]);
  });
});
