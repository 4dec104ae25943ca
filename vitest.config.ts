import { configDefaults, defineConfig } from 'vitest/config';
import { NODE_FLAGS } from './test/servers/node-flags.ts';

const soak = process.env.CHRONOS_SOAK === '1';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(soak ? [] : ['test/soak/**'])],
    globalSetup: 'test/global-setup.ts',
    // A process per file: the suites start, stop and kill things that threads would share.
    pool: 'forks',
    execArgv: [...NODE_FLAGS],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
