// Checks the borders of the house (scripts/rooms/borders.mjs) from the real imports of src/**; exits 1 on a crossing.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { dialectProblems, globalProblems, importProblem, LAZY } from './rooms/borders.mjs';
import { factsOf } from './rooms/facts.mjs';

/** @typedef {import('./rooms/borders.mjs').Lead} Lead */
/** @typedef {import('./rooms/borders.mjs').Problem} Problem */

/**
 * Every crossing in a tree of sources.
 * @param {string} src folder
 * @returns {Problem[]}
 */
export function checkRooms(src) {
  /** @type {Problem[]} */
  const problems = [];
  /** @type {Map<string, Lead[]>} */
  const leads = new Map();
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  for (const file of files.filter((name) => name.endsWith('.ts')).sort()) {
    const facts = factsOf(file, readFileSync(join(src, file), 'utf8'));
    const own = facts.imports.map((found) => ({ ...found, ...leadOf(file, found.specifier) }));
    leads.set(file, own);
    for (const lead of own) {
      const problem = importProblem(file, lead);
      if (problem !== '') problems.push({ file, line: lead.line, problem });
    }
    for (const found of [...globalProblems(file, facts), ...dialectProblems(file, facts)]) {
      problems.push({ file, ...found });
    }
  }
  return [...problems, ...lazyProblems(leads)];
}

/**
 * @param {string} file
 * @param {string | undefined} specifier
 * @returns {{ file?: string, package?: string }}
 */
function leadOf(file, specifier) {
  if (specifier === undefined) return {};
  if (specifier.startsWith('.')) return { file: posix.normalize(posix.join(posix.dirname(file), specifier)) };
  if (isBuiltin(specifier))
    return { package: specifier.startsWith('node:') ? specifier : `node:${specifier}` };
  const [first = '', second = ''] = specifier.split('/');
  return { package: first.startsWith('@') ? `${first}/${second}` : first };
}

/**
 * What an entry loads by static imports alone.
 * @param {Map<string, Lead[]>} leads
 * @returns {Problem[]}
 */
function lazyProblems(leads) {
  return LAZY.flatMap(({ entries, packages, why }) =>
    [...leads.keys()]
      .filter((file) => entries.test(file))
      .flatMap((entry) =>
        [...closure(entry, leads)].flatMap((file) =>
          (leads.get(file) ?? [])
            .filter(
              (lead) => lead.how === 'static' && lead.package !== undefined && packages.test(lead.package),
            )
            .map(({ line, package: name }) => ({
              file,
              line,
              problem: `${entry} loads ${name} through this: ${why}`,
            })),
        ),
      ),
  );
}

/**
 * @param {string} entry
 * @param {Map<string, Lead[]>} leads
 */
function closure(entry, leads) {
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const lead of leads.get(file) ?? []) {
      if (lead.how === 'static' && lead.file !== undefined) seen.add(lead.file);
    }
  }
  return seen;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const problems = checkRooms(resolve(import.meta.dirname, '../src'));
  for (const { file, line, problem } of problems) console.error(`src/${file}:${line}: ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else console.log('borders: clean');
}
