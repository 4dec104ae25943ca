// Packs the package and judges what is in it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** All that a user gets; what matches none of these is there by mistake. */
const WANTED = [
  /^package\.json$/,
  /^(README|CHANGELOG|CONTRIBUTING|UPGRADING)\.md$/,
  /^docs\/[A-Za-z-]+\.md$/,
  /^examples\/([a-z-]+\/)?[a-z-]+\.mjs$/,
  /^LICENSE$/,
  /^dist\/[a-z0-9/-]+\.(js|d\.ts)$/,
  /^migrations\/(postgres|mysql|sqlite)\/\d{4}_[a-z0-9_]+\.(up|down)\.sql$/,
  /^prisma\/schema(\.(mysql|sqlite))?\.prisma$/,
];

/** One file of each kind that must not be missing. */
const NEEDED = [
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'dist/index.js',
  'dist/index.d.ts',
  'dist/migrate/index.js',
  'dist/conformance/index.d.ts',
  'dist/cli/main.js',
  'migrations/postgres/0001_ledger.up.sql',
  'prisma/schema.prisma',
];

/**
 * Builds and packs.
 * @param {string} root
 * @param {string} into
 * @returns {{ tarball: string, problems: string[] }}
 */
export function pack(root, into) {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: 'inherit' });
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', into];
  /** @type {[{ filename: string, files: { path: string }[] }]} */
  const [{ filename, files }] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }));
  const paths = files.map(({ path }) => path);
  return {
    tarball: join(into, filename),
    problems: [
      ...paths
        .filter((path) => !WANTED.some((wanted) => wanted.test(path)))
        .map((path) => `packed, and not wanted: ${path}`),
      ...NEEDED.filter((path) => !paths.includes(path)).map((path) => `not packed: ${path}`),
    ],
  };
}

/**
 * publint, every message of it.
 * @param {string} tarball
 */
export async function publintProblems(tarball) {
  const bytes = readFileSync(tarball);
  const tar = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: tar }, strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg ?? {}, { color: false })}`);
}

/**
 * Whether types resolve as their users' compilers will.
 * @param {string} root
 * @param {string} tarball
 */
export function attwProblems(root, tarball) {
  const args = [
    'attw',
    tarball,
    '--profile',
    'esm-only',
    '--no-definitely-typed',
    '--format',
    'ascii',
    '--no-emoji',
  ];
  try {
    execFileSync('npx', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    return [`attw: ${said}`];
  }
}
