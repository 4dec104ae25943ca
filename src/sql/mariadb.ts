import type { Engine } from './engine.ts';
import { mysql } from './mysql.ts';

/** MariaDB: as MySQL in all that these statements need. */
export const mariadb: Engine = mysql;
