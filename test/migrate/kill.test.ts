import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMigrator } from '../../src/migrate/index.ts';
import { ensureBuilt } from '../build.ts';
import { variants } from '../variants.ts';
import { isSoak, startUp } from './children.ts';
import { hostFolder } from './host-folder.ts';
import { columnOf } from './raw.ts';

const KILLS = isSoak ? 50 : 5;
const IDS = ['chronos:0001_ledger', 'chronos:0002_open_runs', 'chronos:0003_vectors'];
const HOST = ['app:0001_a', 'app:0002_b', 'app:0003_c'];

describe.each(variants)('$name', (variant) => {
  // Where structure commits by itself a file takes longer, and may be cut between any two of its statements.
  const span = variant.language === 'mysql' ? 400 : 60;

  it(`finishes after a kill at a random point of up, ${KILLS} times`, {
    timeout: KILLS * 60_000,
  }, async () => {
    await ensureBuilt();
    const dir = await hostFolder(
      Object.fromEntries(HOST.map((id) => [`${id.slice(4)}.up.sql`, fileOf(id.slice(9))])),
    );
    const options = { dir };
    const expected = [...IDS, ...HOST];
    const random = randomFrom(20_261_129);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const { url, drop } = await variant.createDatabase('kill');
      const victim = await startUp(url, options);
      await victim.event('started');
      await sleep(random() * span);
      victim.process.kill('SIGKILL');
      const { events } = await victim.ended;
      await expectFinish(url, options, expected, JSON.stringify({ kill, events }));
      for (const id of HOST) {
        expect(Number(await columnOf(url, `select sum(n) from host_${id.slice(9)}`)), `kill ${kill}`).toBe(2);
      }
      await drop();
    }
  });
});

/** Statements that a second run would refuse, and data that it would double. */
function fileOf(name: string): string {
  return `create table host_${name} (id int primary key);
insert into host_${name} values (1), (2);
create index host_${name}_id on host_${name} (id);
alter table host_${name} add column n int;
update host_${name} set n = coalesce(n, 0) + 1;
`;
}

/** `up` finishes; then the log says each once, and what it says is there to be reverted and applied again. */
async function expectFinish(
  url: string,
  options: { dir: string },
  expected: readonly string[],
  story: string,
): Promise<void> {
  const migrator = createMigrator(url, options);
  try {
    const report = await migrator.up();
    expect(report, story).toMatchObject({
      current: expected,
      pending: [],
      changed: [],
      missing: [],
      partial: null,
    });
    const log = await migrator.history();
    const done = log
      .filter(({ event }) => event === 'succeeded')
      .map((row) => `${row.namespace}:${row.migration}`);
    expect(done, story).toEqual(expected);
    expect(log.filter(({ event }) => event === 'failed')).toEqual([]);
  } finally {
    await migrator.close();
  }
  const ours = createMigrator(url);
  try {
    await ours.down({ to: '0', yes: true });
    await ours.up();
  } finally {
    await ours.close();
  }
}

/** Mulberry32: the same numbers in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
