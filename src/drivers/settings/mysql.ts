/** A setting, when it is none that we can work under, and what it must be. */
type Setting = readonly [name: string, refused: string, wanted: string];

const CHARSETS = ['client', 'connection', 'results'].map((of): Setting => {
  const name = `character_set_${of}`;
  // NULL: results come as they are stored.
  return [name, `@@${name} <> 'utf8mb4'`, 'utf8mb4'];
});

const ALWAYS: readonly Setting[] = [
  ...CHARSETS,
  ['sql_select_limit', '@@sql_select_limit < 4294967295', 'default'],
  ['sql_safe_updates', '@@sql_safe_updates', '0'],
  // MariaDB: the first insert into an empty table then checks no key.
  ['unique_checks', "not @@unique_checks and version() like '%maria%'", '1'],
  ['sql_mode', "find_in_set('EMPTY_STRING_IS_NULL', @@sql_mode)", 'without EMPTY_STRING_IS_NULL'],
];

const IN_A_POOL: readonly Setting[] = [...ALWAYS, ['autocommit', 'not @@autocommit', '1']];

/** An expression for the settings of a session that are refused, in words; '' for none. In a pool each statement must be stored by itself. */
export function mysqlSettings(pool: boolean): string {
  const words = (pool ? IN_A_POOL : ALWAYS).map(
    ([name, refused, wanted]) =>
      `if(${refused}, concat('${name} = ', @@${name}, ' (must be ${wanted})'), null)`,
  );
  return `concat_ws(', ', ${words.join(', ')})`;
}
