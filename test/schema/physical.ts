import type { NamedText } from '../../src/migrate/catalog/shape.ts';
import type { DialectName } from '../../src/sql/dialect-name.ts';
import type { DmmfField, Physical } from './model.ts';

const POLICY = "(tenant_id = NULLIF(current_setting('chronos.tenant_id'::text, true), ''::text))";

const TENANT: NamedText = {
  name: 'chronos_tenant',
  text: `as permissive for all to public using ${POLICY} with check ${POLICY}`,
};
/** The one table that belongs to no tenant. */
const COLLECTIONS: Readonly<Record<string, NamedText>> = {
  chronos_vector_collections: {
    name: 'chronos_collections',
    text: 'as permissive for select to public using true',
  },
};

const POSTGRES: Physical = {
  type: ({ type }) =>
    lookUp(
      {
        String: 'text',
        Json: 'json',
        BigInt: 'bigint',
        Int: 'integer',
        DateTime: 'timestamp(3) with time zone',
      },
      type,
    ),
  collation: ({ type }) => (type === 'String' ? 'C' : null),
  identity: 'generated always as identity',
  policies: (table) => [COLLECTIONS[table] ?? TENANT],
  traits: { 'row-level security': 'enabled', storage: 'logged' },
};

function mysqlFamily(collation: string): Physical {
  return {
    type: (field) =>
      lookUp(
        {
          String: varchar(field),
          Json: 'longtext',
          BigInt: 'bigint',
          Int: 'int',
          DateTime: 'datetime(3)',
        },
        field.type,
      ),
    collation: ({ type }) => (type === 'String' || type === 'Json' ? collation : null),
    identity: 'auto_increment',
    policies: () => [],
    traits: { engine: 'InnoDB', 'row format': 'Dynamic', collation },
  };
}

/** What each dialect makes of the model's types: forgetting one does not compile. */
export const PHYSICAL: Readonly<Record<DialectName, Physical>> = {
  postgres: POSTGRES,
  pglite: POSTGRES,
  mysql: mysqlFamily('utf8mb4_0900_bin'),
  mariadb: mysqlFamily('utf8mb4_nopad_bin'),
  sqlite: {
    type: ({ type }) =>
      lookUp({ String: 'TEXT', Json: 'TEXT', BigInt: 'INTEGER', Int: 'INTEGER', DateTime: 'INTEGER' }, type),
    collation: () => null,
    identity: null,
    policies: () => [],
    traits: { strict: 'yes', rowid: 'yes', collation: 'binary' },
  },
};

function lookUp(types: Readonly<Record<string, string>>, type: string): string {
  return types[type] ?? `no physical type for ${type}`;
}

function varchar({ nativeType }: DmmfField): string {
  return nativeType?.[0] === 'VarChar' ? `varchar(${nativeType[1][0]})` : 'a VarChar of stated length';
}
