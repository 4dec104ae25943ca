/** What a database has of us, in the catalog's own words: the same form on every engine. */
export interface Shape {
  readonly tables: readonly TableShape[];
  readonly functions: readonly FunctionShape[];
}

/** A table as a catalog describes it. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly ColumnShape[];
  readonly primaryKey: readonly string[];
  /** All but the primary key, by name. */
  readonly indexes: readonly IndexShape[];
  /** By name; null = the server does not show them to who is connected. */
  readonly checks: readonly NamedText[] | null;
  /** Row-level security's, by name; only Postgres has them. */
  readonly policies: readonly NamedText[];
  /** What else matters on this engine: storage, whether row-level security is on. */
  readonly traits: Readonly<Record<string, string>>;
}

export interface ColumnShape {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** null: not text, or the engine's only one. */
  readonly collation: string | null;
  /** As SQL, or the words that make the engine fill it; null = none. */
  readonly fill: string | null;
}

export interface IndexShape {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
  /** What makes it no plain ascending B-tree over all rows; null = nothing. */
  readonly special: string | null;
  /** False = a build that failed left it behind. */
  readonly valid: boolean;
}

/** A check or a policy, as SQL. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface FunctionShape {
  /** With its argument types: `chronos_append_event(text, json)`. */
  readonly name: string;
  /** Everything else of it, its body as a hash. */
  readonly text: string;
}

/** Order of names that no locale changes. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
