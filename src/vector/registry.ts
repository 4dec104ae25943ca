import type { Row, Values } from '../drivers/connection.ts';
import { VECTOR_COLLECTIONS } from '../model/tables.ts';
import { perDialect } from '../repositories/backing.ts';
import { row, rows, run, type Work } from '../repositories/work.ts';
import { compile } from '../sql/compile.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { Raw } from '../sql/engine.ts';
import { columnsOf } from '../sql/rows.ts';
import type { Statement } from '../sql/statement.ts';
import type { Placed } from './engine.ts';
import type { ElementType, Metric } from './types.ts';
import type { Wanted } from './wanted.ts';

const [NUMBER, ...FACTS] = VECTOR_COLLECTIONS.columns;
const [NAME, KIND] = columnsOf(VECTOR_COLLECTIONS, 'name', 'index_kind');

interface RegistryStatements {
  readonly find: Statement;
  readonly list: Statement;
  /** Gives no row where the name is taken. */
  readonly insert: Statement;
  readonly setIndex: Statement;
  readonly remove: Statement;
}

const statements: (dialect: Dialect) => RegistryStatements = perDialect((dialect) => {
  const read = () => dialect.from(VECTOR_COLLECTIONS).select(dialect.columns(VECTOR_COLLECTIONS.columns));
  const values = Object.fromEntries(FACTS.map((column) => [column.name, dialect.parameter(column)]));
  const insert = dialect.into(VECTOR_COLLECTIONS).insert(values).onConflict(['name']).ignore();
  return {
    find: compile('vectors.find', read().where('t.name', dialect.parameter(NAME!)), ['name']),
    list: compile('vectors.list', read().orderBy('t.name'), []),
    insert: compile('vectors.register', insert.returning('number'), Object.keys(values), { once: true }),
    setIndex: compile(
      'vectors.setIndex',
      dialect
        .into(VECTOR_COLLECTIONS)
        .update({ index_kind: dialect.parameter(KIND!) })
        .where('number', dialect.parameter(NUMBER!)),
      ['index_kind', 'number'],
    ),
    remove: compile(
      'vectors.unregister',
      dialect.into(VECTOR_COLLECTIONS).delete().where('number', dialect.parameter(NUMBER!)),
      ['number'],
    ),
  };
});

/** The table of collections. */
export class Registry {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  *find(name: string): Work<Placed | undefined> {
    const found = yield* row(statements(this.#dialect).find, { name });
    return found && this.#placed(found);
  }

  *list(): Work<readonly Placed[]> {
    return (yield* rows(statements(this.#dialect).list, {})).map((one) => this.#placed(one));
  }

  /** The number of a new collection; undefined where the name is taken. */
  *insert({
    name,
    dimension,
    metric,
    elementType,
    index,
    m,
    efConstruction,
  }: Wanted): Work<number | undefined> {
    const values: Values = {
      name,
      dimension,
      metric,
      element_type: elementType,
      index_kind: index,
      m,
      ef_construction: efConstruction,
      created_at: this.#dialect.time(Date.now()),
    };
    const made = yield* row(statements(this.#dialect).insert, values);
    return made && Number(made.number);
  }

  /** Says that a collection is to have an index. */
  *setIndexed(number: number): Work<void> {
    yield* run(statements(this.#dialect).setIndex, { number, index_kind: 'hnsw' });
  }

  /** How many rows were removed: 0 where this role may not. */
  remove(number: number): Work<number> {
    return run(statements(this.#dialect).remove, { number });
  }

  #placed(found: Row): Placed {
    const text = (name: string) => this.#dialect.text(found[name] as Raw);
    // Only the library writes the registry, so that each of the three is one of its words.
    return {
      number: Number(found.number),
      name: text('name'),
      dimension: Number(found.dimension),
      metric: text('metric') as Metric,
      elementType: text('element_type') as ElementType,
      index: text('index_kind') as Placed['index'],
      m: Number(found.m),
      efConstruction: Number(found.ef_construction),
      createdAt: new Date(Number(found.created_at)),
      indexed: false,
    };
  }
}

/** The name of a collection's table. */
export function tableOf({ number }: Pick<Placed, 'number'>): string {
  return `chronos_vectors_${number}`;
}
