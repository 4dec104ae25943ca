/** A table as a catalog, or the model, describes it: the same form on every engine. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly ColumnShape[];
  readonly primaryKey: readonly string[];
  /** All but the primary key, by name. */
  readonly indexes: readonly IndexShape[];
  /** What else matters on this engine: storage, row-level security and its policies. */
  readonly traits: readonly string[];
}

export interface ColumnShape {
  readonly name: string;
  /** In the catalog's own words. */
  readonly type: string;
  readonly nullable: boolean;
  /** null: not text, or the engine's only one. */
  readonly collation: string | null;
}

export interface IndexShape {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

/** Order of names that no locale changes. */
export function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
