/**
 * The servers of the tests, by hand: `images` builds local images from Debian's packages (for machines that reach no image
 * registry), `up` starts what is missing and prints the variables that the suite reads, `down` removes what `up` started.
 */
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ready } from '../test/servers/ready.mjs';
import {
  IN_MEMORY,
  localImage,
  pgbouncer,
  serverNames,
  servers,
  serverUrl,
  urlVariable,
} from '../test/servers/table.mjs';

/** @typedef {import('../test/servers/table.mjs').Container} Container */
/** @typedef {import('../test/servers/table.mjs').ServerName | 'pgbouncer'} Name */

const recipes = fileURLToPath(new URL('../test/servers/', import.meta.url));
const all = /** @type {[Name, Container][]} */ (Object.entries({ ...servers, pgbouncer }));

const commands = { images, up, down };
const command = commands[/** @type {keyof typeof commands} */ (process.argv[2])];
if (!command) {
  console.error(`usage: node scripts/databases.mjs ${Object.keys(commands).join(' | ')}`);
  process.exit(2);
}
await command().catch((error) => {
  console.error(`databases: ${error.message}`);
  process.exitCode = 1;
});

async function images() {
  const suites = [...new Set(all.map(([, server]) => server.suite))];
  // Side by side: each waits for the mirror half of its time.
  const results = await Promise.allSettled(suites.map(suiteImages));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

/** @param {Container['suite']} suite */
async function suiteImages(suite) {
  const base = `chronos-test/debian:${suite}`;
  if (!(await imageExists(base))) await retry(`debootstrap ${suite}`, () => bootstrap(suite, base));
  for (const [name, server] of all) {
    // Built even when it is there: Docker's cache makes that a second, and a changed entry point is never left out.
    if (server.suite === suite) await retry(`image ${localImage(name)}`, () => build(name, server, base));
  }
}

/** @type {(suite: string, image: string) => Promise<void>} */
async function bootstrap(suite, image) {
  const mirror = await debianMirror();
  const root = await mkdtemp(join(tmpdir(), `chronos-${suite}-`));
  try {
    await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', suite, root, mirror]);
    await run('sh', ['-c', 'tar -C "$0" -c . | docker import - "$1"', root, image]);
  } finally {
    // An interrupted debootstrap leaves /proc mounted inside.
    await run('rm', ['-rf', '--one-file-system', root]);
  }
}

/** The mirror that this machine installs from, so that the repository names none. */
async function debianMirror() {
  const targets = await run('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  const mirror = targets.split('\n').find((uri) => /\/debian\/?$/.test(uri));
  if (!mirror)
    throw new Error('no Debian mirror among the apt sources; elsewhere the official images are pulled');
  return mirror;
}

/** @type {(name: Name, server: Container, base?: string) => Promise<void>} */
async function build(name, server, base) {
  const args = { ...(base && { BASE: base }), PACKAGES: server.packages, ENTRYPOINT: server.entrypoint };
  const buildArgs = Object.entries(args).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]);
  await run('docker', [
    'build',
    '--force-rm',
    '--network=host',
    ...buildArgs,
    '-t',
    localImage(name),
    recipes,
  ]);
}

async function up() {
  const started = await Promise.all(serverNames.map((name) => start(name, servers[name])));
  await startPgbouncer(started[serverNames.indexOf('postgres18')] ?? false);
  for (const [name, server] of all) {
    const url = serverUrl(server, '127.0.0.1', server.loopbackPort);
    await ready(url);
    console.log(`export ${urlVariable(name)}=${url}`);
  }
}

/** A restarted postgres18 may have a new address, which PgBouncer learns only when it is made. @param {boolean} isFresh */
async function startPgbouncer(isFresh) {
  if (isFresh) await remove('pgbouncer');
  const upstream = await inspect(containerName('postgres18'), '{{.NetworkSettings.IPAddress}}');
  const env = {
    ...pgbouncer.env,
    UPSTREAM_HOST: upstream ?? '',
    UPSTREAM_PORT: `${servers.postgres18.port}`,
  };
  if (!(await imageExists(localImage('pgbouncer')))) await build('pgbouncer', pgbouncer);
  await start('pgbouncer', { ...pgbouncer, env });
}

/** Answers whether it had to start anything. @type {(name: Name, server: Container) => Promise<boolean>} */
async function start(name, server) {
  const state = await inspect(containerName(name), '{{.State.Running}}');
  if (state === 'true') return false;
  if (state === 'false') await run('docker', ['start', containerName(name)]);
  else await create(name, server);
  return true;
}

/** @type {(name: Name, server: Container) => Promise<void>} */
async function create(name, server) {
  const image = (await imageExists(localImage(name)))
    ? localImage(name)
    : (server.officialImage ?? localImage(name));
  const env = Object.entries(server.env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  const port = `127.0.0.1:${server.loopbackPort}:${server.port}`;
  const memory = server.data === undefined ? [] : [`--tmpfs=${server.data}:${IN_MEMORY}`];
  const options = ['--name', containerName(name), '-p', port, `--shm-size=${server.sharedMemory}`, ...memory];
  await run('docker', ['run', '-d', ...options, ...env, image, ...server.command]);
}

async function down() {
  for (const [name] of all) await remove(name);
}

/** @param {Name} name */
async function remove(name) {
  if ((await inspect(containerName(name), '{{.Id}}')) !== null) {
    await run('docker', ['rm', '--force', '--volumes', containerName(name)]);
  }
}

/** @param {Name} name */
function containerName(name) {
  return `chronos-test-${name}`;
}

/** @param {string} image */
async function imageExists(image) {
  return (await inspect(image, '{{.Id}}', 'image')) !== null;
}

/** Null where there is no such thing. @type {(what: string, format: string, kind?: string) => Promise<string | null>} */
async function inspect(what, format, kind = 'container') {
  try {
    return (await run('docker', [kind, 'inspect', '--format', format, what])).trim();
  } catch (error) {
    if (/No such/i.test(String(error))) return null;
    throw error;
  }
}

/** Mirrors have bad minutes. @type {(what: string, work: () => Promise<void>) => Promise<void>} */
async function retry(what, work, tries = 3) {
  for (let attempt = 1; ; attempt++) {
    try {
      console.error(`databases: ${what}`);
      return await work();
    } catch (error) {
      if (attempt === tries) throw error;
      console.error(`databases: ${what} failed, once more\n${error}`);
    }
  }
}

/** @type {(program: string, args: string[]) => Promise<string>} */
async function run(program, args) {
  try {
    return (await promisify(execFile)(program, args, { maxBuffer: 64 * 1024 * 1024 })).stdout;
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
    } = /** @type {{ code: unknown, stdout?: string, stderr?: string }} */ (error);
    if (code === 'ENOENT') throw new Error(`${program} is not installed`);
    const output = `${stdout}${stderr}`.trim().split('\n').slice(-25).join('\n');
    throw new Error(`${program} ${args.join(' ')} failed (${code}):\n${output}`);
  }
}
