import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InvalidArgumentError } from '../../errors.ts';

/** What `newMigration` writes, and where. */
export interface NewMigrationOptions {
  /** Folder of a host's migrations; made where it is not there. */
  readonly dir: string;
  /** Letters, digits, `_` and `-`, for example `add_widgets`; blanks become `_`. */
  readonly name: string;
}

/**
 * Writes `NNNN_name.up.sql` and `NNNN_name.down.sql` with the number after the last one in the folder. Resolves to
 * their paths. Throws InvalidArgumentError USAGE for a name that no file can have, or a full count.
 */
export async function newMigration({ dir, name }: NewMigrationOptions): Promise<readonly string[]> {
  const plain = name.trim().replace(/\s+/g, '_');
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,190}$/.test(plain)) {
    throw usage('name', 'not letters, digits, _ and -, at most 191', 'for example add_widgets');
  }
  await makeFolder(resolve(dir));
  const numbers = (await readdir(dir)).flatMap((file) => /^(\d{4})_/.exec(file)?.[1] ?? []).map(Number);
  const next = Math.max(0, ...numbers) + 1;
  if (next > 9999)
    throw usage('dir', `${dir} has a migration 9999: there is no next number`, 'use another folder');
  const stem = join(dir, `${String(next).padStart(4, '0')}_${plain}`);
  const created = [`${stem}.up.sql`, `${stem}.down.sql`];
  const texts = [
    `-- What ${plain} changes.\n`,
    `-- What takes it back; without this file it cannot be reverted.\n`,
  ];
  for (const [i, path] of created.entries()) await writeFile(path, texts[i] ?? '', { flag: 'wx' });
  return created;
}

/** Not by mkdir's `recursive`, which tries for ever where a folder takes no other (`/proc`). */
async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    if (code === 'EEXIST' && statSync(dir).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(dir))) {
      throw usage('dir', `${dir} cannot be made (${code})`, 'name a folder that this process may write to');
    }
    await makeFolder(dirname(dir));
    await makeFolder(dir);
  }
}

function usage(argument: string, problem: string, hint: string): InvalidArgumentError {
  return new InvalidArgumentError(argument, problem, { reason: 'USAGE', hint });
}
