import type { Connection } from '../../drivers/connection.ts';
import { statement as prepared } from '../../sql/statement.ts';
import { isWord, type Statement } from '../text/statements.ts';
import type { Token } from '../text/tokens.ts';

/** What a statement makes or takes away, so that the catalog can tell whether it ran. */
export interface Change {
  readonly kind: 'table' | 'view' | 'index' | 'column';
  readonly makes: boolean;
  /** Database of the table; null = the connection's own. */
  readonly database: string | null;
  readonly table: string;
  /** Of the index or column. */
  readonly name: string;
}

/**
 * What the catalog can tell of a statement: the one change that it makes; `again` = running it twice answers as
 * once; undefined = nothing.
 */
export function changeOf({ tokens }: Statement): Change | 'again' | undefined {
  const words = new Words(tokens);
  const change = words.takes('create')
    ? created(words)
    : words.takes('drop')
      ? dropped(words)
      : altered(words);
  return change === undefined || change === 'again' || words.isAtEnd() ? change : undefined;
}

/** The database that `use` names; undefined = it is another statement. */
export function databaseUsed({ tokens }: Statement): string | undefined {
  const words = new Words(tokens);
  return words.takes('use') ? words.name() : undefined;
}

const TEXTS: Readonly<Record<Change['kind'], string>> = {
  table: `select 1 as found from information_schema.tables
where table_schema = coalesce(?, database()) and table_name = ? and (? = '' or true)`,
  view: `select 1 as found from information_schema.views
where table_schema = coalesce(?, database()) and table_name = ? and (? = '' or true)`,
  index: `select 1 as found from information_schema.statistics
where table_schema = coalesce(?, database()) and table_name = ? and index_name = ? limit 1`,
  column: `select 1 as found from information_schema.columns
where table_schema = coalesce(?, database()) and table_name = ? and column_name = ?`,
};

/** Whether the database is as the statement leaves it. */
export async function isMade(session: Connection, change: Change): Promise<boolean> {
  const { kind, makes, database, table, name } = change;
  const look = prepared(`migrate.look_${kind}`, TEXTS[kind], ['database', 'table', 'name']);
  const found = (await session.rows(look, { database, table, name })).length > 0;
  return found === makes;
}

type Found = Change | 'again' | undefined;

function created(words: Words): Found {
  if (words.takes('or')) return words.takes('replace') ? 'again' : undefined;
  const unique = ['unique', 'fulltext', 'spatial'].some((word) => words.takes(word));
  if (words.takes('index')) return index(words, true);
  if (unique) return undefined;
  const kind = words.takes('table') ? 'table' : words.takes('view') ? 'view' : undefined;
  if (kind === undefined) return undefined;
  return words.takes('if') ? 'again' : whole(words, kind, true);
}

function dropped(words: Words): Found {
  if (words.takes('index')) return index(words, false);
  const kind = words.takes('table') ? 'table' : words.takes('view') ? 'view' : undefined;
  if (kind === undefined) return undefined;
  return words.takes('if') ? 'again' : whole(words, kind, false);
}

function whole(words: Words, kind: 'table' | 'view', makes: boolean): Found {
  const named = words.qualified();
  return named === undefined ? undefined : { kind, makes, ...named, name: '' };
}

/** `create index NAME … on TABLE`, `drop index NAME on TABLE`. */
function index(words: Words, makes: boolean): Found {
  if (words.takes('if')) return 'again';
  const name = words.name();
  while (makes && !words.is('on') && words.skip()) {
    // `using btree` may stand between.
  }
  if (name === undefined || !words.takes('on')) return undefined;
  const named = words.qualified();
  return named === undefined ? undefined : { kind: 'index', makes, ...named, name };
}

/** `alter table TABLE` with one clause that adds or drops a column or an index. */
function altered(words: Words): Found {
  if (!words.takes('alter') || !words.takes('table')) return undefined;
  const named = words.qualified();
  if (named === undefined) return undefined;
  const makes = words.takes('add');
  if (!makes && !words.takes('drop')) return undefined;
  const unique = makes && ['unique', 'fulltext', 'spatial'].some((word) => words.takes(word));
  const isIndex = words.takes('index') || words.takes('key');
  if (!isIndex && (unique || NOT_COLUMNS.some((word) => words.is(word)))) return undefined;
  if (!isIndex) words.takes('column');
  if (words.takes('if')) return 'again';
  const name = words.name();
  return name === undefined ? undefined : { kind: isIndex ? 'index' : 'column', makes, ...named, name };
}

/** What else ADD and DROP may have behind them. */
const NOT_COLUMNS = ['constraint', 'primary', 'foreign', 'check', 'partition', 'period', 'system', '('];

/** Reads pieces of a statement one after the other. */
class Words {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  is(word: string): boolean {
    const token = this.#tokens[this.#at];
    return word === '(' ? token?.text === word : isWord(token, word);
  }

  takes(word: string): boolean {
    return this.is(word) && this.skip();
  }

  skip(): boolean {
    this.#at += 1;
    return this.#at <= this.#tokens.length;
  }

  name(): string | undefined {
    const token = this.#tokens[this.#at];
    if (token?.kind !== 'word' && token?.kind !== 'name') return undefined;
    this.skip();
    return token.kind === 'word' ? token.text : token.text.slice(1, -1).replaceAll('``', '`');
  }

  qualified(): { database: string | null; table: string } | undefined {
    const first = this.name();
    if (first === undefined || this.#tokens[this.#at]?.text !== '.') {
      return first === undefined ? undefined : { database: null, table: first };
    }
    this.skip();
    const table = this.name();
    return table === undefined ? undefined : { database: first, table };
  }

  /** Whether nothing follows that is a second change: a comma outside parentheses. */
  isAtEnd(): boolean {
    let depth = 0;
    for (const { text } of this.#tokens.slice(this.#at)) {
      if (text === '(') depth += 1;
      else if (text === ')') depth -= 1;
      else if (text === ',' && depth === 0) return false;
    }
    return true;
  }
}
