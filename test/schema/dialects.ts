import type { DialectName } from '../../src/sql/dialect-name.ts';
import type { PerVariant } from '../variants.ts';

/** The dialect of each engine version. */
export const DIALECTS: PerVariant<DialectName> = {
  postgres18: 'postgres',
  postgres15: 'postgres',
  mysql9: 'mysql',
  mariadb118: 'mariadb',
  mariadb1011: 'mariadb',
  pglite: 'pglite',
  sqlite: 'sqlite',
};
