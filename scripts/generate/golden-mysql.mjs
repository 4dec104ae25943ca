// The shape that MySQL's files make, read from their text: no server runs where files are generated. It knows the forms
// that the files use and refuses every other one; the suite holds what it reads against real servers.

/** @typedef {import('../../src/migrate/catalog/shape.ts').TableShape} TableShape */
/** @typedef {import('../../src/migrate/catalog/shape.ts').ColumnShape} ColumnShape */

/** @typedef {object} Draft
 * @property {string} name
 * @property {ColumnShape[]} columns
 * @property {string[]} primaryKey
 * @property {{ name: string, unique: boolean, columns: string[], special: null, valid: true }[]} indexes
 * @property {{ name: string, text: string }[]} checks
 * @property {[]} policies
 * @property {Record<string, string>} traits
 */

const TEXTUAL = /^(varchar\(\d+\)|char\(\d+\)|(tiny|medium|long)?text)$/;
const BOOKKEEPING = /^(execute|deallocate prepare|prepare) chronos_ddl\b/;

/**
 * Applies one file to the tables so far.
 * @param {ReadonlyMap<string, Draft>} before
 * @param {string} sql
 * @returns {Map<string, Draft>}
 */
export function applyMysql(before, sql) {
  const tables = new Map(before);
  for (const statement of statementsIn(sql)) {
    if (BOOKKEEPING.test(statement)) continue;
    const create = /^create table (?:if not exists )?(\S+) \((.*)\) engine = InnoDB (.*)$/.exec(statement);
    const drop = /^drop table (?:if exists )?(\w+)$/.exec(statement);
    const prepared = /^set @chronos_ddl = if\( .* '(alter table [^']*)'(?:, 'do 0')? \)$/.exec(statement);
    const alter = /^alter table (\w+) (.*)$/.exec(prepared?.[1] ?? statement);
    if (create) tables.set(create[1] ?? '', created(create[1] ?? '', create[2] ?? '', create[3] ?? ''));
    else if (drop) tables.delete(drop[1] ?? '');
    else if (alter) tables.set(alter[1] ?? '', altered(tables.get(alter[1] ?? ''), alter[2] ?? ''));
    else throw unknown(statement);
  }
  return tables;
}

/** @param {string} sql @returns {string[]} each on one line, with single blanks */
function statementsIn(sql) {
  return sql
    .replace(/^--.*$/gm, '')
    .split(/;\s*$/m)
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

/** @param {string} name @param {string} body @param {string} options @returns {Draft} */
function created(name, body, options) {
  const collation = /\bcollate (\S+)/.exec(options)?.[1] ?? '';
  const format = /\brow_format = (\w+)/.exec(options)?.[1];
  /** @type {Draft} */
  const table = {
    name,
    columns: [],
    primaryKey: [],
    indexes: [],
    checks: [],
    policies: [],
    traits: {
      engine: 'InnoDB',
      ...(format && { 'row format': format.replace(/^./, (letter) => letter.toUpperCase()) }),
      collation,
    },
  };
  for (const line of topLevel(body)) add(table, line);
  return table;
}

/** @param {Draft | undefined} table @param {string} actions @returns {Draft} */
function altered(table, actions) {
  if (table === undefined) throw unknown(actions);
  const copy = structuredClone(table);
  for (const action of topLevel(actions)) {
    const [, verb = '', rest = ''] = /^(add|drop) (?:column )?(.*)$/.exec(action) ?? [];
    const [, kind = '', name = ''] = /^(?:(key|index) )?(\w+)$/.exec(rest) ?? [];
    if (verb === 'add') add(copy, rest);
    else if (verb === 'drop' && kind !== '')
      copy.indexes = copy.indexes.filter((index) => index.name !== name);
    else if (verb === 'drop' && name !== '')
      copy.columns = copy.columns.filter((column) => column.name !== name);
    else throw unknown(action);
  }
  return copy;
}

/** @param {Draft} table @param {string} line one line of a table's body */
function add(table, line) {
  const key = /^(?:(unique) )?key (\w+) \((.*)\)$/.exec(line);
  const primary = /^primary key \((.*)\)$/.exec(line);
  const check = /^constraint (\w+) check \((.*)\)$/.exec(line);
  if (key) {
    const [, unique, name = '', columns = ''] = key;
    const index = { name, unique: unique !== undefined, columns: named(columns), special: null, valid: true };
    table.indexes = [...table.indexes, /** @type {Draft['indexes'][number]} */ (index)].sort(byName);
  } else if (primary) table.primaryKey = named(primary[1] ?? '');
  else if (check) table.checks.push({ name: check[1] ?? '', text: catalogText(check[2] ?? '') });
  else addColumn(table, line);
}

/** @param {Draft} table @param {string} line */
function addColumn(table, line) {
  const found =
    /^(`\w+`|\w+) (\w+(?:\(\d+\))?)( not null)?( auto_increment)?( primary key)?(?: default (.+))?$/.exec(
      line,
    );
  if (!found) throw unknown(line);
  const [, quoted = '', type = '', filled, counts, primary, fill] = found;
  const name = quoted.replaceAll('`', '');
  if (primary) table.primaryKey = [name];
  table.columns.push({
    name,
    type,
    nullable: filled === undefined,
    collation: TEXTUAL.test(type) ? (table.traits.collation ?? null) : null,
    fill: counts ? 'auto_increment' : (fill?.replace(/^\((.*)\)$/, '$1') ?? null),
  });
}

/** As the catalog shows it: columns quoted, lists without blanks. @param {string} text */
function catalogText(text) {
  return text.replace(/^\w+/, (column) => `\`${column}\``).replaceAll("', '", "','");
}

/** @param {string} list @returns {string[]} */
function named(list) {
  return list.split(',').map((name) => name.trim().replaceAll('`', ''));
}

/** Cut at the commas outside of parentheses. @param {string} text @returns {string[]} */
function topLevel(text) {
  let depth = 0;
  const parts = [''];
  for (const letter of text) {
    depth += letter === '(' ? 1 : letter === ')' ? -1 : 0;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

/** @param {{ name: string }} a @param {{ name: string }} b */
function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

/** @param {string} text */
function unknown(text) {
  return new Error(`scripts/generate/golden-mysql.mjs does not know this form: ${text.slice(0, 200)}`);
}
