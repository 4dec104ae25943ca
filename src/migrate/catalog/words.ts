import type { Difference } from './differences.ts';
import type { ColumnShape, IndexShape } from './shape.ts';

/** One difference in a sentence, without the table's name. */
export function sentence(difference: Difference): string {
  const { of, name, want, have } = difference;
  const subject = SUBJECTS[of](name);
  if (want === undefined) {
    return of === 'table' ? 'is there, but no applied migration makes it' : `${subject} is not ours`;
  }
  if (have === undefined) return `${subject} is missing`;
  return `${subject} ${changed(difference)}`;
}

const SUBJECTS: Readonly<Record<Difference['of'], (name: string) => string>> = {
  table: () => 'the table',
  column: (name) => `column ${name}`,
  'primary key': () => 'the primary key',
  index: (name) => `index ${name}`,
  check: (name) => `check ${name}`,
  policy: (name) => `policy ${name}`,
  trait: (name) => name,
  function: () => 'the function',
};

function changed(difference: Difference): string {
  const { of, want, have } = difference;
  if (of === 'column' && want && have) return columnChange(difference.aspect, want, have);
  if (of === 'index' && want && have) {
    return have.valid
      ? `is ${indexText(have)}, not ${indexText(want)}`
      : 'is invalid: a build failed half-way';
  }
  if (of === 'primary key') return `is (${have?.join(', ')}), not (${want?.join(', ')})`;
  if (of === 'trait') return `is ${have}, not ${want}`;
  if (of === 'check' || of === 'policy') return `is ${have?.text}, not ${want?.text}`;
  return 'is not as the migration makes it';
}

function columnChange(aspect: string | undefined, want: ColumnShape, have: ColumnShape): string {
  if (aspect === 'nullable') return have.nullable ? 'may be null' : 'may not be null';
  if (aspect === 'collation') return `has collation ${have.collation}, not ${want.collation}`;
  if (aspect === 'fill') return `has default ${have.fill ?? 'none'}, not ${want.fill ?? 'none'}`;
  return `is ${have.type}, not ${want.type}`;
}

function indexText({ unique, columns, special }: IndexShape): string {
  return `${unique ? 'unique ' : ''}(${columns.join(', ')})${special === null ? '' : ` ${special}`}`;
}
