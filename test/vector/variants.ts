import type { PerVariant, Variant } from '../variants.ts';

/** Where vectors are, and if not, why. */
const VECTORS: PerVariant<true | string> = {
  postgres18: true,
  postgres15: 'this server has no pgvector',
  pglite: true,
  sqlite: true,
  mysql9: 'vectors are kept on other engines',
  mariadb118: 'as MySQL',
  mariadb1011: 'as MySQL',
};

/** Whether an engine version keeps vectors. */
export function withVectors({ name }: Pick<Variant, 'name'>): boolean {
  return VECTORS[name] === true;
}
