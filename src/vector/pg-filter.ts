import type { FilterSql } from './condition.ts';
import type { Draft } from './draft.ts';
import type { Path, Sign } from './filter.ts';

/** Filters on jsonb, which compares values of one type by what they are. */
export class PgFilter implements FilterSql {
  readonly #draft: Draft;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  among(path: Path, texts: readonly string[]): string {
    const json = this.#json(path);
    const [first] = texts;
    if (first !== undefined && texts.length === 1) {
      return `coalesce(${json} = ${this.#draft.put(first)}::jsonb, false)`;
    }
    return `coalesce(${json} = any(${this.#draft.put(texts)}::text[]::jsonb[]), false)`;
  }

  compare(path: Path, sign: Sign, value: string | number): string {
    const json = this.#json(path);
    if (typeof value === 'number') {
      const number = `${this.#draft.put(JSON.stringify(value))}::jsonb`;
      return `coalesce(jsonb_typeof(${json}) = 'number' and ${json} ${sign} ${number}, false)`;
    }
    // The database's own collation would sort by a language's rules.
    const text = `(${json} #>> '{}') collate "C" ${sign} ${this.#draft.put(value)}::text`;
    return `coalesce(jsonb_typeof(${json}) = 'string' and ${text}, false)`;
  }

  contains(path: Path, text: string): string {
    const json = this.#json(path);
    const list = `case when jsonb_typeof(${json}) = 'array' then ${json} else '[]'::jsonb end`;
    const element = `${this.#draft.put(text)}::jsonb`;
    return `exists (select 1 from jsonb_array_elements(${list}) as e (one) where e.one = ${element})`;
  }

  exists(path: Path): string {
    return `(${this.#json(path)} is not null)`;
  }

  /** `->` with a name finds members of objects only: an array's elements have none. */
  #json(path: Path): string {
    return `(t.metadata${path.map((name) => ` -> ${this.#draft.put(name)}::text`).join('')})`;
  }
}
