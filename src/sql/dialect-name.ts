/** The SQL languages that statements are compiled for. PGlite and MariaDB each differ in a fact or two from their family. */
export type DialectName = 'postgres' | 'pglite' | 'mysql' | 'mariadb' | 'sqlite';

/** The families that share migration files. */
export type Language = 'postgres' | 'mysql' | 'sqlite';

const LANGUAGES: Readonly<Record<DialectName, Language>> = {
  postgres: 'postgres',
  pglite: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlite: 'sqlite',
};

/** Which migration files and model a dialect uses. */
export function languageOf(name: DialectName): Language {
  return LANGUAGES[name];
}
