import { describe, expect, it } from 'vitest';
import { createMigrator } from '../../src/migrate/index.ts';
import { ensureBuilt } from '../build.ts';
import { pgbouncerUrl, type TestDatabase, type Variant, variants } from '../variants.ts';
import { type Ended, isSoak, startUp } from './children.ts';

const PROCESSES = 20;
const ROUNDS = isSoak ? 25 : 3;
const IDS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];

interface Form {
  readonly name: string;
  readonly variant: Variant;
  readonly target: (database: TestDatabase) => string;
}

const forms: Form[] = variants
  .filter(({ name }) => name !== 'pglite')
  .map((variant) => ({ name: variant.name, variant, target: ({ url }) => url }));
const pooled = variants.find(({ name }) => name === 'postgres18');
if (pooled !== undefined && pgbouncerUrl(pooled.serverUrl ?? '') !== null) {
  forms.push({
    name: 'postgres18 through PgBouncer',
    variant: pooled,
    target: ({ url }) => pgbouncerUrl(url) ?? '',
  });
}

describe.each(forms)('$name', ({ variant, target }) => {
  it(`applies each migration once when ${PROCESSES} processes start at once`, {
    timeout: ROUNDS * 120_000,
  }, async () => {
    await ensureBuilt();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const database = await variant.createDatabase('race');
      const children = await Promise.all(Array.from({ length: PROCESSES }, () => startUp(target(database))));
      const ends = await Promise.all(children.map(({ ended }) => ended));
      expectGood(ends);
      await expectOnce(database.url);
      await database.drop();
    }
  });
});

function expectGood(ends: readonly Ended[]): void {
  for (const end of ends) {
    expect(end, JSON.stringify(end)).toMatchObject({ code: 0, stderr: '' });
    expect(end.events.at(-1)).toMatchObject({ kind: 'done', current: IDS });
    const kinds = new Set(end.events.map(({ kind }) => kind));
    for (const kind of kinds) expect(['waiting', 'started', 'applied', 'done']).toContain(kind);
  }
  const applied = ends.flatMap(({ events }) => events.at(-1)?.applied ?? []);
  expect(applied.map(({ id }) => id).sort()).toEqual(IDS);
}

async function expectOnce(url: string): Promise<void> {
  const migrator = createMigrator(url);
  try {
    const ends = (await migrator.history()).filter(({ event }) => event !== 'started');
    expect(ends.map(({ migration, event }) => `${migration} ${event}`)).toEqual([
      '0001_ledger succeeded',
      '0002_open_runs succeeded',
      '0003_vectors succeeded',
    ]);
  } finally {
    await migrator.close();
  }
}
