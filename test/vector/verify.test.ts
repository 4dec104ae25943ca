import { describe, expect, it } from 'vitest';
import { openStorage } from '../../src/index.ts';
import { keepPgliteOpen, targetOf } from '../migrate/kept-open.ts';
import { migrating } from '../migrate/migrating.ts';
import { execute } from '../migrate/raw.ts';
import { type PerLanguage, variants } from '../variants.ts';
import { withVectors } from './variants.ts';

keepPgliteOpen();

const SCHEMA: PerLanguage<string> = { postgres: 'chronos.', mysql: '', sqlite: '' };

describe.each(variants.filter(withVectors))('verify on $name, with collections', (variant) => {
  const home = SCHEMA[variant.language];
  const isPostgres = variant.language === 'postgres';

  async function checks(url: string) {
    const { checks: found } = await migrating(url, {}, (migrator) => migrator.verify());
    return found.map(({ level, subject, message }) => `${level} ${subject} ${message}`);
  }

  it('is clean, and sees what happens to their tables', async () => {
    const { url } = await variant.createDatabase('collections');
    const storage = await openStorage(await targetOf(url));
    await storage.migrate();
    const vectors = storage.vectors();
    for (const name of ['a', `b'"`, 'c'])
      await vectors.createCollection(name, 3, { index: isPostgres ? 'hnsw' : 'none' });
    await storage.close();
    expect(await checks(url)).toEqual([]);
    await execute(url, `drop table ${home}chronos_vectors_2`);
    await execute(url, `create table ${home}chronos_vectors_77 (n int)`);
    const expected = [
      'fail chronos_vectors_2 the table of collection "b\'\\"" is missing',
      'warn chronos_vectors_77 belongs to no collection',
    ];
    expect(await checks(url)).toEqual(expected);
    if (!isPostgres) return;
    await execute(url, `alter table ${home}chronos_vectors_1 disable row level security`);
    await execute(url, `alter table ${home}chronos_vectors_1 set unlogged`);
    await execute(url, `drop policy chronos_tenant on ${home}chronos_vectors_1`);
    await execute(url, `drop index ${home}chronos_vectors_1_hnsw`);
    await execute(
      url,
      `update pg_index set indisvalid = false where indexrelid = '${home}chronos_vectors_3_hnsw'::regclass`,
    );
    expect(await checks(url)).toEqual([
      'fail chronos_vectors_1 row-level security is disabled',
      'fail chronos_vectors_1 storage is unlogged, not logged',
      'fail chronos_vectors_1 the policy chronos_tenant is missing',
      'fail chronos_vectors_1 the index of collection "a" is missing',
      expected[0],
      'fail chronos_vectors_3 the index of collection "c" is invalid',
      expected[1],
    ]);
    const again = await openStorage(await targetOf(url));
    for (const name of ['a', 'c']) await again.vectors().ensureIndex(name);
    await again.close();
    expect(await checks(url)).toEqual([
      'fail chronos_vectors_1 row-level security is disabled',
      'fail chronos_vectors_1 storage is unlogged, not logged',
      'fail chronos_vectors_1 the policy chronos_tenant is missing',
      ...expected,
    ]);
  });
});
