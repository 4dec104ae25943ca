// The built-in migrations as a module, so that a bundled service can migrate without the folder.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const LANGUAGES = ['postgres', 'mysql', 'sqlite'];

/** @param {string} text @returns {string} a template literal that evaluates to exactly `text` */
function literal(text) {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('`', '\\`')
    .replaceAll('${', '\\${')
    .replaceAll('\r', '\\r')
    .replaceAll('\uFEFF', '\\uFEFF');
  return `\`${escaped}\``;
}

/** @param {string} root @param {string} language @returns {Promise<string>} one entry of the map */
async function entry(root, language) {
  const folder = join(root, 'migrations', language);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const lines = [];
  for (const name of names) {
    lines.push(`    '${name}': ${literal(await readFile(join(folder, name), 'utf8'))},`);
  }
  return [`  ${language}: {`, ...lines, '  },'].join('\n');
}

/** @param {string} root @returns {Promise<Map<string, string>>} path → text */
export async function embedded(root) {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const entries = [];
  for (const language of LANGUAGES) entries.push(await entry(root, language));
  const text = [
    '// Written by `npm run generate` from migrations/; do not edit.',
    "import type { Language } from '../sql/dialect-name.ts';",
    '',
    '/** Version of the package, as the log names it. */',
    `export const TOOL_VERSION: string = '${version}';`,
    '',
    '/** Language → file name → text of the built-in migrations. */',
    'export const EMBEDDED: Readonly<Record<Language, Readonly<Record<string, string>>>> = {',
    ...entries,
    '};',
    '',
  ].join('\n');
  return new Map([['src/migrate/embedded.ts', text]]);
}
