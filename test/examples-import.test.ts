import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differences } from '../examples/import-agent-run/compare.mjs';
import { readRuns, runsIn } from '../examples/import-agent-run/formats.mjs';
import { type Run, storeRun } from '../examples/import-agent-run/store.mjs';
import { openStorage, type Storage } from '../src/index.ts';
import { ensureBuilt } from './build.ts';
import { variants } from './variants.ts';

const root = resolve(import.meta.dirname, '..');
const runs = join(import.meta.dirname, 'data/agent-runs');
const sweAgent = join(runs, 'humanevalfix-python-0.traj');
const langfuse = join(runs, 'claude-agent-2025-12-22.trace.json');

/** The shape of what tau-bench writes: no run of it is here, for their mock data look like people's own. */
const TAU_BENCH = [
  {
    task_id: 7,
    trial: 0,
    reward: 1,
    info: { source: 'user' },
    traj: [
      { role: 'system', content: 'Calculate.' },
      { role: 'user', content: '6 × 7, then 1 / 0' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'eval', arguments: '{"text":"6*7"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', name: 'eval', content: '42' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'eval', arguments: '{"text":"1/0"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', name: 'eval', content: 'Error: division by zero' },
    ],
  },
  { task_id: 7, trial: 1, reward: 0, info: {}, traj: [] },
];

async function parsed(file: string): Promise<Record<string, Record<string, unknown>[]>> {
  return JSON.parse(await readFile(file, 'utf8'));
}

async function imported(storage: Storage, run: Run | undefined): Promise<Run> {
  if (!run) throw new Error('no run');
  await storeRun(storage, run);
  expect(await differences(storage, run)).toEqual([]);
  return run;
}

describe.each(variants)('runs of agents on $name', (variant) => {
  let storage: Storage;

  beforeAll(async () => {
    const { url } = await variant.createDatabase('import');
    storage = await openStorage(url);
    await storage.migrate();
  });
  afterAll(() => storage.close());

  it('SWE-agent: messages, steps and states come back as in the file', async () => {
    const { format, runs: found } = await readRuns(sweAgent);
    expect([format, found.length]).toEqual(['SWE-agent', 1]);
    const { session } = await imported(storage, found[0]);
    const { history = [], trajectory = [] } = await parsed(sweAgent);
    const events = await storage.listEvents(session.id);
    expect(events.map(({ payload }) => payload)).toStrictEqual(history);
    expect(events.map(({ seqNum }) => seqNum)).toEqual(history.map((_, i) => i + 1));
    const traces = await storage.listTraces(session.id);
    expect(traces.map(({ output }) => output)).toEqual(trajectory.map(({ observation }) => observation));
    const checkpoints = await storage.listCheckpoints(session.id);
    expect(checkpoints.map(({ state }) => state)).toEqual(
      trajectory.map(({ state }) => JSON.parse(String(state))),
    );
    // Each stands where its step ends: what follows is the agent's next turn.
    expect(checkpoints.map(({ seqNum }) => seqNum)).toEqual([4, 6, 8, 10, 11]);
    const [next] = await storage.listEvents(session.id, checkpoints[0]?.seqNum);
    expect(next?.payload).toMatchObject({ role: 'assistant', action: trajectory[1]?.action });
  });

  it('Langfuse: observations come back as in the file, in the order of time', async () => {
    const { format, runs: found } = await readRuns(langfuse);
    expect([format, found.length]).toEqual(['Langfuse', 1]);
    const { session } = await imported(storage, found[0]);
    const { observations = [] } = await parsed(langfuse);
    const traces = await storage.listTraces(session.id);
    const events = await storage.listEvents(session.id);
    expect(traces.map(({ id }) => id)).not.toEqual(observations.map(({ id }) => id));
    expect(events.map(({ id }) => id)).toEqual(traces.map(({ id }) => id));
    for (const [i, { id, input, output, startedAt, endedAt }] of traces.entries()) {
      const source = observations.find((one) => one.id === id);
      expect({ ...Object(events[i]?.payload), input, output }).toEqual(source);
      expect([startedAt.toISOString(), endedAt?.toISOString()]).toEqual([source?.startTime, source?.endTime]);
    }
    const roots = traces.filter(({ parentId }) => parentId === undefined);
    expect(roots).toHaveLength(1);
  });

  it('tau-bench: an answer belongs to the call before it, also where an id comes again', async () => {
    const { runs: found } = runsIn(TAU_BENCH, 'calculator');
    for (const run of found) await imported(storage, run);
    expect(found.map(({ session }) => session.status)).toEqual(['completed', 'failed']);
    const traces = await storage.listTraces('calculator/7/0');
    expect(traces.map(({ input, output, error }) => [input, output, error])).toEqual([
      [{ text: '6*7' }, '42', undefined],
      [{ text: '1/0' }, 'Error: division by zero', 'Error: division by zero'],
    ]);
  });

  it('a run that is imported again is there once', async () => {
    for (const file of [sweAgent, langfuse]) {
      const [run] = (await readRuns(file)).runs;
      const { session, events } = await imported(storage, run);
      await imported(storage, (await readRuns(file)).runs[0]);
      expect(await storage.countEvents(session.id)).toBe(events.length);
    }
  });

  it('a difference is seen', async () => {
    const [run] = runsIn(TAU_BENCH.slice(0, 1), 'changed').runs;
    const { session, traces } = await imported(storage, run);
    await storage.insertTrace({ ...traces[0]!, input: { text: '6*8' } });
    await storage.appendEvent({ id: 'one more', sessionId: session.id, type: 'user', payload: null });
    expect(await differences(storage, run!)).toEqual([
      '7 of 6 events are there',
      'trace 1 is not what was given',
    ]);
  });
});

it('what is no run is refused with the formats there are', () => {
  expect(() => runsIn({ hello: 1 }, 'x')).toThrow('x: none of SWE-agent, tau-bench, Langfuse');
});

describe('the program', () => {
  let folder: string;

  beforeAll(async () => {
    const built = resolve(await ensureBuilt(), '..');
    // Beside the build's package.json, so that its `chronos-storage` is this one as it is now.
    folder = await mkdtemp(join(built, 'import-'));
    await cp(join(root, 'examples'), join(folder, 'examples'), { recursive: true });
    await mkdir(join(folder, 'runs'));
    for (const file of [sweAgent, langfuse]) await cp(file, join(folder, 'runs', basename(file)));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('imports files and says what it did', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        'examples/import-agent-run.mjs',
        'sqlite:runs.db',
        'runs/humanevalfix-python-0.traj',
        'runs/claude-agent-2025-12-22.trace.json',
      ],
      { cwd: folder },
    );
    expect(stdout).toBe(
      `runs/humanevalfix-python-0.traj: SWE-agent, 1 session, 11 events, 5 traces, 5 checkpoints, came back equal
runs/claude-agent-2025-12-22.trace.json: Langfuse, 1 session, 7 events, 7 traces, 0 checkpoints, came back equal
`,
    );
  });
});
