import type { DialectName } from '../../src/sql/dialect-name.ts';
import type { DmmfField, Physical } from './model.ts';

const POLICY = "(tenant_id = NULLIF(current_setting('chronos.tenant_id'::text, true), ''::text))";

const TENANT = `chronos_tenant PERMISSIVE {public} ALL using ${POLICY} check ${POLICY}`;
/** The one table that belongs to no tenant. */
const COLLECTIONS: Readonly<Record<string, string>> = {
  chronos_vector_collections: 'chronos_collections PERMISSIVE {public} SELECT using true check none',
};

const POSTGRES: Physical = {
  type: ({ type, hasDefaultValue }) =>
    lookUp(
      {
        String: 'text',
        Json: 'json',
        BigInt: hasDefaultValue ? 'bigint, computed' : 'bigint',
        Int: 'integer',
        DateTime: 'timestamp(3) with time zone',
      },
      type,
    ),
  collation: ({ type }) => (type === 'String' ? 'C' : null),
  traits: (table) => ['row security true, forced false', COLLECTIONS[table] ?? TENANT],
};

function mysqlFamily(collation: string): Physical {
  return {
    type: (field) =>
      lookUp(
        {
          String: varchar(field),
          Json: 'longtext',
          BigInt: field.hasDefaultValue ? 'bigint, computed' : 'bigint',
          Int: 'int',
          DateTime: 'datetime(3)',
        },
        field.type,
      ),
    collation: ({ type }) => (type === 'String' || type === 'Json' ? collation : null),
    traits: () => [`InnoDB Dynamic ${collation}`],
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
    traits: () => ['strict', 'rowid'],
  },
};

function lookUp(types: Readonly<Record<string, string>>, type: string): string {
  return types[type] ?? `no physical type for ${type}`;
}

function varchar({ nativeType }: DmmfField): string {
  return nativeType?.[0] === 'VarChar' ? `varchar(${nativeType[1][0]})` : 'a VarChar of stated length';
}
