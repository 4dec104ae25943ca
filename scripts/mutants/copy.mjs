// A copy of the repository to make mistakes in: the working tree is only read.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** @import { Mutant } from '../../test/mutants/mutant.mjs' */

const root = resolve(import.meta.dirname, '../..');

/** A copy of all files that git knows or would add, as they are now. */
export class Copy {
  #folder;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'chronos-mutants-'));
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    });
    for (const file of listed.split('\0')) {
      // A file may be deleted and still be listed.
      if (file === '' || !existsSync(join(root, file))) continue;
      mkdirSync(dirname(join(this.#folder, file)), { recursive: true });
      copyFileSync(join(root, file), join(this.#folder, file));
    }
    this.#linkPackages();
    mkdirSync(this.temporary);
  }

  get folder() {
    return this.#folder;
  }

  /** What tests leave behind, such as the databases of those that fail. */
  get temporary() {
    return join(this.#folder, '.tmp');
  }

  /** One by one, in a folder of its own: tools keep their caches beside the packages. */
  #linkPackages() {
    const packages = join(root, 'node_modules');
    mkdirSync(join(this.#folder, 'node_modules'));
    for (const name of readdirSync(packages)) {
      if (name.startsWith('.')) continue;
      symlinkSync(join(packages, name), join(this.#folder, 'node_modules', name));
    }
  }

  /**
   * The file of a mutant as it is, and with the mistake.
   * @param {Mutant} mutant
   */
  #texts({ name, file, find, replace }) {
    const before = readFileSync(join(this.#folder, file), 'utf8');
    const parts = before.split(find);
    if (parts.length !== 2) {
      throw new Error(`${name}: its text is ${parts.length - 1} times in ${file}, and must be there once`);
    }
    return { before, after: parts.join(replace) };
  }

  /** @param {Mutant} mutant */
  check(mutant) {
    this.#texts(mutant);
  }

  /**
   * Runs `work` while the copy has a mistake.
   * @template T
   * @param {Mutant} mutant
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async with(mutant, work) {
    const path = join(this.#folder, mutant.file);
    const { before, after } = this.#texts(mutant);
    writeFileSync(path, after);
    try {
      return await work();
    } finally {
      writeFileSync(path, before);
    }
  }

  remove() {
    // What was killed may still be ending.
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
