/**
 * What it takes to run each server, said once for `scripts/databases.mjs` (docker) and the suite's global setup (testcontainers).
 * Everything here is understood by the official image and by the local one built from Debian's packages.
 *
 * @typedef {'postgres18' | 'postgres15' | 'mysql9' | 'mariadb118' | 'mariadb1011'} ServerName
 * @typedef {ServerName | 'pglite' | 'sqlite'} VariantName
 * @typedef {object} Container
 * @property {string | null} officialImage null where none exists and the Dockerfile is built instead
 * @property {'sid' | 'trixie' | 'bookworm'} suite the Debian release that packages this version
 * @property {string} packages
 * @property {string} entrypoint file beside this one
 * @property {number} port inside the container
 * @property {number} loopbackPort where `db:up` publishes it
 * @property {Record<string, string>} env
 * @property {string[]} command
 * @property {number} sharedMemory bytes
 * @property {string} [data] the folder of its data, which stands in memory
 * @property {'postgres' | 'mysql' | 'mariadb'} scheme
 * @property {string} user
 */

export const PASSWORD = 'chronos-test';

/** Mount options of a folder in memory. */
export const IN_MEMORY = 'rw,size=8g';

const MiB = 1024 * 1024;

/** @satisfies {Partial<Container>} */
const postgres = {
  port: 5432,
  entrypoint: 'postgres.sh',
  env: {
    POSTGRES_PASSWORD: PASSWORD,
    // An ICU collation as managed services have it: under C a forgotten `collate "C"` could not show.
    POSTGRES_INITDB_ARGS:
      '--no-sync --encoding=UTF8 --locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US',
  },
  // 200 connections: the race cases start 20 processes with a pool each. Nothing here survives a crash of the server, and nothing is
  // to: it waits for no disk.
  command: options('-c', {
    max_connections: '200',
    shared_buffers: '256MB',
    fsync: 'off',
    full_page_writes: 'off',
  }),
  // Parallel index builds take their memory from /dev/shm, of which a container has 64 MB by default.
  sharedMemory: 1024 * MiB,
  scheme: 'postgres',
  user: 'postgres',
};

/** @satisfies {Partial<Container>} */
const mysql = {
  port: 3306,
  command: [
    '--max-connections=300',
    '--innodb-buffer-pool-size=256M',
    '--innodb-flush-log-at-trx-commit=0',
    '--innodb-doublewrite=OFF',
    '--sync-binlog=0',
  ],
  sharedMemory: 64 * MiB,
  data: '/var/lib/mysql',
  user: 'root',
};

/** @satisfies {Partial<Container>} */
const mariadb = {
  ...mysql,
  entrypoint: 'mariadb.sh',
  packages: 'mariadb-server',
  env: { MARIADB_ROOT_PASSWORD: PASSWORD },
  scheme: 'mariadb',
};

/** @type {Record<ServerName, Container>} */
export const servers = {
  postgres18: {
    ...postgres,
    officialImage: 'pgvector/pgvector:pg18',
    suite: 'sid',
    packages: 'postgresql-18-pgvector',
    data: '/var/lib/postgresql',
    loopbackPort: 25418,
  },
  postgres15: {
    ...postgres,
    officialImage: 'postgres:15',
    suite: 'bookworm',
    packages: 'postgresql-15',
    data: '/var/lib/postgresql/data',
    loopbackPort: 25415,
  },
  mysql9: {
    ...mysql,
    officialImage: 'mysql:9',
    suite: 'sid',
    packages: 'mysql-server',
    entrypoint: 'mysql.sh',
    loopbackPort: 23309,
    env: { MYSQL_ROOT_PASSWORD: PASSWORD },
    scheme: 'mysql',
  },
  mariadb118: { ...mariadb, officialImage: 'mariadb:11.8', suite: 'trixie', loopbackPort: 23318 },
  mariadb1011: { ...mariadb, officialImage: 'mariadb:10.11', suite: 'bookworm', loopbackPort: 23310 },
};

/** Stands in front of postgres18, so it starts after it and is told where it is: UPSTREAM_HOST, UPSTREAM_PORT. @type {Container} */
export const pgbouncer = {
  officialImage: null,
  suite: 'trixie',
  packages: 'pgbouncer',
  entrypoint: 'pgbouncer.sh',
  port: 6432,
  loopbackPort: 26432,
  env: { POSTGRES_PASSWORD: PASSWORD },
  command: [],
  sharedMemory: 64 * MiB,
  scheme: 'postgres',
  user: 'postgres',
};

export const serverNames = /** @type {ServerName[]} */ (Object.keys(servers));

/** @type {VariantName[]} */
export const variantNames = [...serverNames, 'pglite', 'sqlite'];

/** @type {(name: ServerName | 'pgbouncer') => string} */
export const localImage = (name) => `chronos-test/${name}`;

/** @type {(name: ServerName | 'pgbouncer') => string} */
export const urlVariable = (name) => `CHRONOS_TEST_${name.toUpperCase()}_URL`;

/** Names the database that every fresh server has. @type {(server: Container, host: string, port: number) => string} */
export function serverUrl({ scheme, user }, host, port) {
  const database = scheme === 'postgres' ? 'postgres' : 'mysql';
  return `${scheme}://${user}:${PASSWORD}@${host}:${port}/${database}`;
}

/** @type {(flag: string, settings: Record<string, string>) => string[]} */
function options(flag, settings) {
  return Object.entries(settings).flatMap(([name, value]) => [flag, `${name}=${value}`]);
}
