import { describe, expect, it } from 'vitest';
import type { MigratorOptions } from '../../src/migrate/index.ts';
import { oneOfEachDriver, type PerLanguage } from '../variants.ts';
import { hostFolder } from './host-folder.ts';
import { migrating } from './migrating.ts';
import { columnOf } from './raw.ts';

/** Code that tells when it has begun and what became of what it sent late. */
interface Told {
  begun(): void;
  late?: string;
}

/** Deaf for a while longer than it is waited for; then it goes on. */
const LATE = (told: string) => `
export async function up({ knex, signal }) {
  const told = globalThis['${told}'];
  await knex.schema.createTable('widgets', (table) => table.integer('id'));
  const late = new Promise((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 6000)));
  told.begun();
  await late;
  await knex('kept').insert({ n: 1 }).then(
    () => { told.late = 'it was sent'; },
    (error) => { told.late = error.message; },
  );
}`;
const NEVER = (told: string) => `
export function up() {
  globalThis['${told}'].begun();
  return new Promise(() => {});
}`;
/** Where structure commits by itself, nobody knows what stayed. */
const PARTIAL: PerLanguage<string | null> = { postgres: null, mysql: 'app:0002_deaf', sqlite: null };

describe.each(oneOfEachDriver)('code that is deaf to its signal on $name', (variant) => {
  it.each([
    ['goes on later', LATE],
    ['never ends', NEVER],
  ] as const)('and %s is given up with its connection', async (_, code) => {
    const { url } = await variant.createDatabase('deaf');
    const name = `deaf-${variant.name}`;
    const dir = await hostFolder({
      '0001_kept.up.sql': 'create table kept (n int);',
      '0002_deaf.mjs': code(name),
    });
    const controller = new AbortController();
    const told: Told = { begun: () => controller.abort() };
    Reflect.set(globalThis, name, told);
    const warnings: string[] = [];
    const onProgress: MigratorOptions['onProgress'] = (progress) => {
      if (progress.kind === 'warning') warnings.push(progress.message);
    };
    await migrating(url, { dir, signal: controller.signal, onProgress }, async (migrator) => {
      await expect(migrator.up()).rejects.toMatchObject({
        reason: 'INTERRUPTED',
        migration: 'app:0002_deaf',
        message: expect.stringContaining('did not heed the signal'),
      });
    });
    expect(warnings).toEqual([expect.stringMatching(/^app:0002_deaf: its code did not heed the signal/)]);
    if (code === LATE) {
      await expect.poll(() => told.late, { timeout: 10_000 }).toContain('nothing is sent any more');
    }
    await migrating(url, { dir }, async (migrator) => {
      expect((await migrator.status()).partial).toBe(PARTIAL[variant.language]);
    });
    expect(Number(await columnOf(url, 'select count(*) from kept'))).toBe(0);
  });
});
