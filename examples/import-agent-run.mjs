// Real runs of agents, as SWE-agent, tau-bench and Langfuse write them to files, become sessions, events, traces and
// checkpoints, and are read back and compared.
//
//   node examples/import-agent-run.mjs sqlite:./runs.db run.traj trace.json results.json.gz
//
// The first argument is where the ledger is, as openStorage takes it. The tables are made when they are not there.
// The same file may be imported again: ids are made of what is in it, so nothing is stored twice.
import { openStorage } from 'chronos-storage';
import { differences } from './import-agent-run/compare.mjs';
import { readRuns } from './import-agent-run/formats.mjs';
import { storeRun } from './import-agent-run/store.mjs';

const [target, ...files] = process.argv.slice(2);
if (target === undefined || files.length === 0) {
  console.error('usage: node examples/import-agent-run.mjs TARGET FILE...');
  process.exit(2);
}

const storage = await openStorage(target);
try {
  await storage.migrate();
  for (const file of files) {
    const { format, runs } = await readRuns(file);
    const counts = { session: runs.length, event: 0, trace: 0, checkpoint: 0 };
    /** @type {string[]} */
    const differing = [];
    for (const run of runs) {
      await storeRun(storage, run);
      differing.push(...(await differences(storage, run)));
      counts.event += run.events.length;
      counts.trace += run.traces.length;
      counts.checkpoint += run.checkpoints.length;
    }
    const stored = Object.entries(counts).map(([what, n]) => `${n} ${what}${n === 1 ? '' : 's'}`);
    console.log(
      `${file}: ${format}, ${stored.join(', ')}, ${differing.length === 0 ? 'came back equal' : 'DIFFERS'}`,
    );
    for (const one of differing) console.log(`  ${one}`);
    if (differing.length > 0) process.exitCode = 1;
  }
} finally {
  await storage.close();
}
