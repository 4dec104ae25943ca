import { readFile } from 'node:fs/promises';
import {
  byName,
  type ColumnShape,
  type NamedText,
  type TableShape,
} from '../../src/migrate/catalog/shape.ts';
import type { Language } from '../../src/sql/dialect-name.ts';
import { generatePrisma } from './generated-prisma.ts';

/** The part of Prisma's DMMF that these tests read. */
export interface Dmmf {
  readonly models: readonly DmmfModel[];
  readonly indexes: readonly {
    readonly model: string;
    readonly type: 'id' | 'unique' | 'normal';
    readonly dbName: string | null;
    readonly fields: readonly { readonly name: string }[];
  }[];
}

export interface DmmfModel {
  readonly name: string;
  readonly dbName: string;
  readonly schema?: string;
  readonly fields: readonly DmmfField[];
}

export interface DmmfField {
  readonly name: string;
  readonly dbName?: string;
  readonly kind: 'scalar' | 'object' | 'enum';
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefaultValue: boolean;
  readonly nativeType: readonly [string, readonly string[]] | null;
  readonly documentation?: string;
}

/** The models of a language's Prisma schema, as Prisma itself reads them. */
export async function readModels(language: Language): Promise<Dmmf> {
  const { dmmfFile } = await generatePrisma(language);
  return JSON.parse(await readFile(dmmfFile, 'utf8')) as Dmmf;
}

/** How an engine holds what the model says. */
export interface Physical {
  type(field: DmmfField): string;
  /** Of a field that is text in the database, else null. */
  collation(field: DmmfField): string | null;
  /** How a column that numbers its rows is filled. */
  readonly identity: string | null;
  policies(table: string): readonly NamedText[];
  readonly traits: TableShape['traits'];
}

/** The name of a field's column. */
export function columnOf(field: DmmfField): string {
  return field.dbName ?? field.name;
}

/** The tables that the models ask for, in a catalog's words. */
export function shapesOf(dmmf: Dmmf, physical: Physical): TableShape[] {
  return dmmf.models.map((model) => shapeOf(dmmf, model, physical)).sort(byName);
}

function shapeOf(dmmf: Dmmf, model: DmmfModel, physical: Physical): TableShape {
  const scalars = model.fields.filter((field) => field.kind === 'scalar');
  const columns = new Map(scalars.map((field) => [field.name, columnOf(field)]));
  const keys = dmmf.indexes
    .filter((index) => index.model === model.name)
    .map((index) => ({
      ...index,
      columns: index.fields.map((field) => columns.get(field.name) ?? field.name),
    }));
  return {
    name: model.dbName,
    columns: scalars.map(
      (field): ColumnShape => ({
        name: columnOf(field),
        type: physical.type(field),
        nullable: !field.isRequired,
        collation: physical.collation(field),
        fill: field.hasDefaultValue ? physical.identity : null,
      }),
    ),
    primaryKey: keys.find((key) => key.type === 'id')?.columns ?? [],
    indexes: keys
      .filter((key) => key.type !== 'id')
      .map((key) => ({
        name: key.dbName ?? '',
        unique: key.type === 'unique',
        columns: key.columns,
        special: null,
        valid: true,
      }))
      .sort(byName),
    checks: [],
    policies: physical.policies(model.dbName),
    traits: physical.traits,
  };
}
