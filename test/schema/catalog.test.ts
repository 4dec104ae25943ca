import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConnection } from '../../src/drivers/open.ts';
import { expectedShape } from '../../src/migrate/catalog/expected.ts';
import { liveShape } from '../../src/migrate/catalog/live.ts';
import type { TableShape } from '../../src/migrate/catalog/shape.ts';
import { CHECKPOINTS, type Column, RECORD_TABLES } from '../../src/model/tables.ts';
import { type PerLanguage, variants } from '../variants.ts';
import { type Database, openDatabase } from './database.ts';
import { DIALECTS } from './dialects.ts';
import { migrateDown, migrateUp } from './migrated.ts';
import { columnOf, type Dmmf, type DmmfField, readModels, shapesOf } from './model.ts';
import { PHYSICAL } from './physical.ts';

/** Every table that is there, whosever it is. */
const TABLES: PerLanguage<string> = {
  postgres: "select tablename as name from pg_tables where schemaname = 'chronos'",
  mysql: 'select table_name as name from information_schema.tables where table_schema = database()',
  sqlite: "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'",
};
const LOG = 'chronos_migration_log';

/** All of them but the log, as the migrator reads them. */
async function shapesIn({ query, target }: Database, text: string): Promise<readonly TableShape[]> {
  const rows = await query<{ name: string }>(text);
  const tables = rows.map(({ name }) => name).filter((name) => name !== LOG);
  if (tables.length === 0) return [];
  const connection = await openConnection(target);
  try {
    return (await liveShape(connection, 'chronos', { tables, functions: [] })).tables;
  } finally {
    await connection.close();
  }
}

describe.each(variants)('the catalog on $name', ({ name, language, createDatabase }) => {
  let database: Database;
  const catalog = () => shapesIn(database, TABLES[language]);

  beforeAll(async () => {
    database = await openDatabase((await createDatabase('catalog')).url);
  });
  afterAll(() => database.close());

  it('is what the Prisma schema says, and the same after down and up', async () => {
    await migrateUp(database.target);
    const first = await catalog();
    expect(first).toEqual(shapesOf(await readModels(language), PHYSICAL[DIALECTS[name]]));
    const golden = expectedShape(DIALECTS[name], ['0001_ledger', '0002_open_runs', '0003_vectors']);
    expect(first).toEqual(golden.tables);

    await migrateDown(database.target, '0001_ledger');
    const half = await catalog();
    expect(half.map((table) => table.name)).toEqual(RECORD_TABLES.map((table) => table.name).sort());
    await migrateDown(database.target, '0');
    expect(await catalog()).toEqual([]);

    await migrateUp(database.target, '0001_ledger');
    expect(await catalog()).toEqual(half);
    await migrateUp(database.target);
    expect(await catalog()).toEqual(first);
  });
});

/** Prisma's type of each type of column; the variants keep them. */
const PRISMA_TYPES: Readonly<Record<Column['type'], string>> = {
  key: 'String',
  text: 'String',
  json: 'Json',
  time: 'DateTime',
  int: 'BigInt',
};

function modelColumn(field: DmmfField): Partial<Column> & { prismaType: string } {
  const max = /At most (\d+)\./.exec(field.documentation ?? '')?.[1];
  return {
    field: field.name,
    name: columnOf(field),
    prismaType: field.type,
    optional: !field.isRequired,
    ...(max && { max: Number(max) }),
  };
}

function modelTable(dmmf: Dmmf, name: string) {
  const model = dmmf.models.find((each) => each.dbName === name);
  return model?.fields.filter((field) => field.kind === 'scalar').map(modelColumn);
}

describe.each(['postgres', 'mysql', 'sqlite'] as const)('the Prisma schema of %s', (language) => {
  it('has the columns of the table list, in its order, with its lengths', async () => {
    const dmmf = await readModels(language);
    for (const table of RECORD_TABLES) {
      const listed = table.columns.map(({ name, field, type, optional, max }) => ({
        field,
        name,
        prismaType: PRISMA_TYPES[type],
        optional,
        ...(max !== undefined && { max }),
      }));
      expect(modelTable(dmmf, table.name), table.name).toEqual(listed);
    }
    const others = ['chronos_event_heads', 'chronos_vector_collections'];
    expect(dmmf.models.map((model) => model.dbName).sort()).toEqual(
      [...RECORD_TABLES.map((table) => table.name), ...others].sort(),
    );
  });

  it('leads every key and index with the tenant and ends every index with the id', async () => {
    const dmmf = await readModels(language);
    // Collections belong to no tenant.
    const ofTenants = dmmf.indexes.filter(({ model }) => model !== 'ChronosVectorCollection');
    for (const index of ofTenants) {
      const fields = index.fields.map((field) => field.name);
      expect(fields[0], index.dbName ?? index.model).toBe('tenantId');
      if (index.type === 'normal') expect(fields.at(-1), index.dbName ?? '').toBe('id');
    }
    const unique = ofTenants.filter((index) => index.type === 'unique');
    expect(unique.map((index) => index.fields.map((field) => field.name))).toEqual([
      ['tenantId', 'sessionId', 'seqNum'],
    ]);
    expect(dmmf.models.find((model) => model.dbName === CHECKPOINTS.name)?.name).toBe(unique[0]?.model);
  });
});
