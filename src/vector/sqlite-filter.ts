import type { FilterSql } from './condition.ts';
import type { Draft } from './draft.ts';
import type { Path, Sign } from './filter.ts';

/**
 * Filters on JSON text in which every equal value has one text: `->` gives the text of a member as it stands, so it
 * tells types apart, and keeps numbers that a conversion would round.
 */
export class SqliteFilter implements FilterSql {
  readonly #draft: Draft;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  among(path: Path, texts: readonly string[]): string {
    const json = this.#json(path);
    const [first] = texts;
    if (first !== undefined && texts.length === 1)
      return `coalesce(${json} = ${this.#draft.put(first)}, false)`;
    const list = `select value from json_each(${this.#draft.put(JSON.stringify(texts))})`;
    return `coalesce(${json} in (${list}), false)`;
  }

  compare(path: Path, sign: Sign, value: string | number): string {
    const types = typeof value === 'number' ? "in ('integer', 'real')" : "= 'text'";
    const is = `json_type(t.metadata, ${this.#path(path)}) ${types}`;
    if (typeof value === 'string') {
      return `coalesce(${is} and t.metadata ->> ${this.#path(path)} ${sign} ${this.#draft.put(value)}, false)`;
    }
    const bare = sign.slice(0, 1);
    const beyond = `cast(t.metadata ->> ${this.#path(path)} as real) ${bare} ${this.#draft.put(value)}`;
    // Equal is what has the same text: the engine's reading of a number may be off in its last bit.
    const same = `${this.#json(path)} = ${this.#draft.put(JSON.stringify(value))}`;
    const holds = sign === bare ? `(${beyond} and not ${same})` : `(${beyond} or ${same})`;
    return `coalesce(${is} and ${holds}, false)`;
  }

  contains(path: Path, text: string): string {
    const of = `json_type(t.metadata, ${this.#path(path)}) = 'array'`;
    const elements = `json_each(t.metadata, ${this.#path(path)}) as e`;
    const element = `t.metadata -> (${this.#path(path)} || '[' || e.key || ']')`;
    return `coalesce(${of} and exists (select 1 from ${elements} where ${element} = ${this.#draft.put(text)}), false)`;
  }

  exists(path: Path): string {
    return `(json_type(t.metadata, ${this.#path(path)}) is not null)`;
  }

  #json(path: Path): string {
    return `(t.metadata -> ${this.#path(path)})`;
  }

  #path(path: Path): string {
    return this.#draft.put(`$${path.map((name) => `.${JSON.stringify(name)}`).join('')}`);
  }
}
