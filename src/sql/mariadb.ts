import type { Engine } from './engine.ts';
import { mysql } from './mysql.ts';

/** MariaDB: as MySQL, but that an insert gives back what it stored (since 10.5). */
export const mariadb: Engine = Object.freeze({ ...mysql, returns: true });
