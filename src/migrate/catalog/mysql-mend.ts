import type { DialectName } from '../../sql/dialect-name.ts';
import { backquoted } from '../engines/placeholders.ts';
import type { Difference } from './differences.ts';
import { INVISIBLE } from './mysql.ts';
import type { ColumnShape, IndexShape } from './shape.ts';

/** The statement that mends a difference on MySQL or MariaDB, or '' where no single one does. */
export function mysqlMend(difference: Difference, dialectName: DialectName): string {
  const action = actionOf(difference, dialectName);
  return action === '' ? '' : `alter table ${backquoted(difference.table)} ${action}`;
}

function actionOf(difference: Difference, dialectName: DialectName): string {
  const name = backquoted(difference.name);
  switch (difference.of) {
    case 'column':
      if (difference.want === undefined) return '';
      return `${difference.have === undefined ? 'add' : 'modify'} column ${definition(difference.want)}`;
    case 'primary key': {
      const drop = difference.have?.length ? 'drop primary key, ' : '';
      return `${drop}add primary key (${(difference.want ?? []).map(backquoted).join(', ')})`;
    }
    case 'index': {
      const { want, have } = difference;
      // The server makes nothing of a drop and an add of the same columns.
      if (want !== undefined && have?.special === INVISIBLE) {
        return `alter index ${name} ${dialectName === 'mariadb' ? 'not ignored' : 'visible'}`;
      }
      return replaced(`drop key ${name}`, have, want && addKey(want));
    }
    case 'check': {
      const { want, have } = difference;
      return replaced(`drop constraint ${name}`, have, want && `add constraint ${name} check (${want.text})`);
    }
    case 'trait':
      return traitAction(difference.name, difference.want ?? '');
    default:
      return '';
  }
}

function replaced(drop: string, have: unknown, add: string | undefined): string {
  return [...(have === undefined ? [] : [drop]), ...(add === undefined ? [] : [add])].join(', ');
}

function traitAction(name: string, want: string): string {
  if (name === 'engine') return `engine = ${want}`;
  if (name === 'row format') return `row_format = ${want}`;
  return `default character set utf8mb4 collate ${want}`;
}

function definition({ name, type, nullable, collation, fill }: ColumnShape): string {
  return [
    backquoted(name),
    type,
    ...(collation === null ? [] : [`character set utf8mb4 collate ${collation}`]),
    nullable ? 'null' : 'not null',
    ...(fill === null ? [] : [fillClause(fill)]),
  ].join(' ');
}

function fillClause(fill: string): string {
  if (fill === 'auto_increment') return fill;
  return fill.endsWith(')') ? `default (${fill})` : `default ${fill}`;
}

function addKey({ name, unique, columns }: IndexShape): string {
  return `add ${unique ? 'unique ' : ''}key ${backquoted(name)} (${columns.map(backquoted).join(', ')})`;
}
