// An empty folder with the packed package in it, and programs that run there.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How a program ended. @typedef {{ code: number | null, stdout: string, stderr: string }} Ended */

export class Consumer {
  /**
   * @param {string} root of the repository
   * @param {string} folder
   */
  constructor(root, folder) {
    this.root = root;
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
    this.write('package.json', JSON.stringify({ name: 'consumer', private: true }));
  }

  /**
   * Scripts stay off: they would compile better-sqlite3, which {@link addNativeSqlite} has ready.
   * @param {string} tarball
   */
  install(tarball) {
    const args = [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--loglevel',
      'error',
    ];
    execFileSync('npm', [...args, tarball], { cwd: this.folder, stdio: 'inherit', env: environment() });
  }

  /** The same version, compiled when the repository was installed. */
  addNativeSqlite() {
    const build = 'node_modules/better-sqlite3/build';
    cpSync(join(this.root, build), join(this.folder, build), { recursive: true });
  }

  /**
   * @param {string} file
   * @param {string} text
   */
  write(file, text) {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  /**
   * @param {string} command
   * @param {string[]} args
   * @returns {Ended}
   */
  run(command, ...args) {
    const ended = spawnSync(command, args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: environment(),
      timeout: 120_000,
    });
    if (ended.error) throw ended.error;
    return { code: ended.status, stdout: ended.stdout, stderr: ended.stderr };
  }
}

/** Without what npm tells the scripts that it runs, and without targets that the caller may have set. */
function environment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_|CHRONOS_|DATABASE_URL$|NODE_OPTIONS$)/.test(name),
    ),
  );
}
