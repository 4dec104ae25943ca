import { quoted } from '../engines/placeholders.ts';
import type { Difference } from './differences.ts';
import type { ColumnShape, IndexShape } from './shape.ts';

/** The statement that mends a difference on Postgres, or a sentence where no single one does. */
export function postgresMend(difference: Difference, schema: string): string {
  const place = (name: string) => `${quoted(schema)}.${quoted(name)}`;
  const table = place(difference.table);
  const { name } = difference;
  const alter = (action: string) => `alter table ${table} ${action}`;
  switch (difference.of) {
    case 'table':
    case 'function':
      return '';
    case 'column':
      return difference.want === undefined ? '' : alter(columnAction(difference.want, difference.aspect));
    case 'primary key': {
      const drop = difference.have?.length ? `drop constraint ${quoted(`${difference.table}_pkey`)}, ` : '';
      return alter(
        `${drop}add constraint ${quoted(`${difference.table}_pkey`)} primary key (${difference.want?.join(', ')})`,
      );
    }
    case 'index': {
      const { want, have } = difference;
      if (want === undefined) return `drop index ${place(name)}`;
      if (have?.valid === false) return `reindex index concurrently ${place(name)}`;
      return `${have === undefined ? '' : `drop index ${place(name)}; `}${createIndex(want, table)}`;
    }
    case 'check': {
      const drop = difference.have === undefined ? '' : `drop constraint ${quoted(name)}, `;
      return difference.want === undefined
        ? alter(`drop constraint ${quoted(name)}`)
        : alter(`${drop}add constraint ${quoted(name)} ${difference.want.text}`);
    }
    case 'policy': {
      const drop = `drop policy ${quoted(name)} on ${table}`;
      if (difference.want === undefined) return drop;
      const create = `create policy ${quoted(name)} on ${table} ${difference.want.text}`;
      return difference.have === undefined ? create : `${drop}; ${create}`;
    }
    case 'trait': {
      if (name === 'storage') return alter(`set ${difference.want}`);
      const force = difference.have === 'forced' ? ['no force row level security'] : [];
      const enabled = difference.have !== 'disabled';
      const wanted = difference.want !== 'disabled';
      const turn = enabled === wanted ? [] : [`${wanted ? 'enable' : 'disable'} row level security`];
      return alter([...force, ...turn].join(', '));
    }
  }
}

function columnAction(want: ColumnShape, aspect: string | undefined): string {
  const name = quoted(want.name);
  const collation =
    want.collation === null || want.collation === 'default' ? '' : ` collate ${quoted(want.collation)}`;
  if (aspect === undefined) {
    const fill =
      want.fill === null ? '' : want.fill.startsWith('generated') ? ` ${want.fill}` : ` default ${want.fill}`;
    return `add column ${name} ${want.type}${collation}${fill}${want.nullable ? '' : ' not null'}`;
  }
  if (aspect === 'nullable') return `alter column ${name} ${want.nullable ? 'drop' : 'set'} not null`;
  if (aspect === 'fill') {
    if (want.fill?.startsWith('generated')) return `alter column ${name} add ${want.fill}`;
    return `alter column ${name} ${want.fill === null ? 'drop default' : `set default ${want.fill}`}`;
  }
  return `alter column ${name} type ${want.type}${collation} using ${name}::${want.type}`;
}

function createIndex({ name, unique, columns }: IndexShape, table: string): string {
  return `create ${unique ? 'unique ' : ''}index ${quoted(name)} on ${table} (${columns.join(', ')})`;
}
