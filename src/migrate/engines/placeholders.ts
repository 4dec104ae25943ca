import type { DialectName } from '../../sql/dialect-name.ts';
import { OURS } from '../files.ts';
import type { Step } from '../plan.ts';

/** The collation that compares bytes and does not pad, which the two servers name differently. */
const BIN_COLLATION: Readonly<Partial<Record<DialectName, string>>> = {
  mysql: 'utf8mb4_0900_bin',
  mariadb: 'utf8mb4_nopad_bin',
};

/** The name of that collation; '' where there is none. */
export function binCollation(dialectName: DialectName): string {
  return BIN_COLLATION[dialectName] ?? '';
}

/** An identifier of Postgres or SQLite, quoted. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** An identifier of MySQL or MariaDB, quoted in the way that no sql_mode changes. */
export function backquoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

/** The exact SQL of a step: our files have placeholders, a host's run as they are. */
export function filled(step: Step, dialectName: DialectName, schema: string): string {
  const { namespace, up, down = '' } = step.migration;
  const text = step.direction === 'up' ? up : down;
  if (namespace !== OURS) return text;
  // In one pass: a schema may be named like a placeholder.
  return text.replace(/\{\{(schema|bin_collation)\}\}/g, (_, word) =>
    word === 'schema' ? quoted(schema) : binCollation(dialectName),
  );
}
