import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileSet } from '../../src/migrate/files.ts';
import { forbidPartial } from '../../src/migrate/partial.ts';
import { planDown, planUp, type Step, survey } from '../../src/migrate/plan.ts';
import { stateOf } from '../../src/migrate/state.ts';
import type { LogEntry, Migration } from '../../src/migrate/types.ts';
import { file, row } from './ledger.ts';

const IDS = ['chronos:0001_a', 'chronos:0002_b', 'app:0001_x', 'app:0002_y'];
const FILES = IDS.map((id) => file(id));
const done = (...ids: string[]): LogEntry[] => ids.map((id) => row(`up ${id} succeeded`));
const ids = (steps: readonly Step[]): string[] => steps.map(({ migration }) => migration.id);

/** As a migrator that was given a folder, or was not. */
function fileSet(all: readonly Migration[], folder = true): FileSet {
  return { all, namespaces: folder ? ['chronos', 'app'] : ['chronos'] };
}

function up(files: readonly Migration[], log: readonly LogEntry[], options = {}): string[] {
  return ids(planUp(fileSet(files), stateOf(log), options));
}

function down(
  files: readonly Migration[],
  log: readonly LogEntry[],
  namespace: string,
  options = {},
): string[] {
  return ids(planDown(fileSet(files), stateOf(log), namespace, options));
}

describe('up', () => {
  it('plans what is pending, ours first', () => {
    expect(up(FILES, [])).toEqual(IDS);
    expect(up(FILES, done('chronos:0001_a', 'app:0001_x'))).toEqual(['chronos:0002_b', 'app:0002_y']);
    expect(up(FILES, done(...IDS))).toEqual([]);
  });

  it.each([
    [{ to: '0002_b' }, IDS.slice(0, 2)],
    [{ to: 'app:0001_x' }, IDS.slice(0, 3)],
    [{ to: 'chronos:0001_a' }, IDS.slice(0, 1)],
    [{ to: 'app:0001' }, IDS.slice(0, 3)],
    [{ to: 'chronos:0001' }, IDS.slice(0, 1)],
    [{ step: 3 }, IDS.slice(0, 3)],
    [{ step: 9 }, IDS],
  ])('stops at %j', (options, expected) => expect(up(FILES, [], options)).toEqual(expected));

  it.each([
    [{ to: '0003' }, 'UNKNOWN_TARGET'],
    [{ to: '0001' }, 'UNKNOWN_TARGET'],
    [{ to: '' }, 'UNKNOWN_TARGET'],
    [{ to: 'app:' }, 'UNKNOWN_TARGET'],
    [{ to: ':0001' }, 'UNKNOWN_TARGET'],
    [{ step: 0 }, 'USAGE'],
    [{ step: 1.5 }, 'USAGE'],
    [{ step: 1, to: '0002_b' }, 'USAGE'],
  ])('refuses %j', (options, reason) => {
    expect(() => up(FILES, [], options)).toThrow(expect.objectContaining({ reason }));
  });

  it('names the two that a number may mean', () => {
    expect(() => up(FILES, [], { to: '0001' })).toThrow(/chronos:0001_a, app:0001_x/);
  });

  it.each<[string, readonly Migration[], LogEntry[], string, string]>([
    [
      'edited',
      [file('chronos:0001_a', { up: 'other' })],
      done('chronos:0001_a'),
      'CHECKSUM_MISMATCH',
      'chronos:0001_a',
    ],
    ['missing', [FILES[0]!, FILES[3]!], done(...IDS.slice(0, 3)), 'MIGRATION_MISSING', 'app:0001_x'],
    ['last and missing, of a host', [FILES[0]!, FILES[2]!], done(...IDS), 'MIGRATION_MISSING', 'app:0002_y'],
    ['late', FILES, done('chronos:0001_a', 'chronos:0002_b', 'app:0002_y'), 'OUT_OF_ORDER', 'app:0001_x'],
  ])('refuses a file that is %s', (_, files, log, reason, migration) => {
    expect(() => up(files, log)).toThrow(expect.objectContaining({ reason, migration }));
  });

  it('goes on under a newer library, unless what it did is breaking', () => {
    const newer = row('up chronos:0003_c succeeded');
    expect(up(FILES.slice(0, 2), [...done(...IDS.slice(0, 2)), newer])).toEqual([]);
    const breaking = row('up chronos:0004_d succeeded', { directives: 'breaking' });
    expect(() => up(FILES, [...done(...IDS), newer, breaking])).toThrow(
      expect.objectContaining({ reason: 'SCHEMA_TOO_NEW', migration: 'chronos:0004_d' }),
    );
    const found = survey(fileSet(FILES.slice(0, 2)), stateOf([newer]));
    expect([found.newer.map(({ id }) => id), found.missing]).toEqual([['chronos:0003_c'], []]);
  });

  it('leaves namespaces alone whose folder was not given', () => {
    const state = stateOf(done('other:0001_z', 'app:0001_x'));
    expect(ids(planUp(fileSet(FILES.slice(0, 2), false), state))).toEqual(IDS.slice(0, 2));
  });

  it('misses what was in a folder that is empty now', () => {
    expect(() => up(FILES.slice(0, 2), done(...IDS))).toThrow(
      expect.objectContaining({ reason: 'MIGRATION_MISSING', migration: 'app:0001_x' }),
    );
  });

  it('does not check what has no checksum', () => {
    expect(up(FILES, [row('up chronos:0001_a baselined', { checksum: null })])).toEqual(IDS.slice(1));
  });
});

describe('down', () => {
  it.each([
    ['app', {}, ['app:0002_y']],
    ['app', { step: 2 }, ['app:0002_y', 'app:0001_x']],
    ['app', { to: '0' }, ['app:0002_y', 'app:0001_x']],
    ['app', { to: '0001' }, ['app:0002_y']],
    ['app', { to: 'app:0002_y' }, []],
    ['chronos', {}, ['chronos:0002_b']],
    ['chronos', { to: '0' }, ['chronos:0002_b', 'chronos:0001_a']],
  ])('reverts in %s by %j, newest first', (namespace, options, expected) => {
    expect(down(FILES, done(...IDS), namespace, options)).toEqual(expected);
  });

  it('has nothing to revert on an empty log', () => {
    expect(down(FILES, [], 'app')).toEqual([]);
    expect(down(FILES, [], 'app', { to: '0' })).toEqual([]);
  });

  it('knows only what is applied, in its namespace', () => {
    for (const to of ['0002', 'chronos:0001_a', 'nothing']) {
      expect(() => down(FILES, done('app:0001_x', 'chronos:0001_a'), 'app', { to })).toThrow(
        expect.objectContaining({ reason: 'UNKNOWN_TARGET' }),
      );
    }
  });

  it('refuses one without a way back before anything is touched', () => {
    const files = [file('app:0001_x', { down: null }), FILES[3]!];
    expect(() => down(files, done('app:0001_x', 'app:0002_y'), 'app', { step: 2 })).toThrow(
      expect.objectContaining({ reason: 'IRREVERSIBLE', migration: 'app:0001_x' }),
    );
    expect(down(files, done('app:0001_x', 'app:0002_y'), 'app')).toEqual(['app:0002_y']);
  });

  it('refuses what a newer library put on top', () => {
    expect(() => down(FILES, done(...IDS, 'chronos:0003_c'), 'chronos')).toThrow(
      expect.objectContaining({ reason: 'SCHEMA_TOO_NEW' }),
    );
  });
});

const RERUN = { rerun: true, resume: false };
const NEITHER = { rerun: false, resume: false };

describe('a half-done migration', () => {
  const next = (words: string[], direction: 'up' | 'down', namespace = 'chronos') => {
    const state = stateOf(words.map((each) => row(each)));
    const steps =
      direction === 'up' ? planUp(fileSet(FILES), state) : planDown(fileSet(FILES), state, namespace);
    return { step: steps[0]!, partial: state.partial! };
  };

  it('is done again where its file may be', () => {
    const { step, partial } = next(['up chronos:0001_a started'], 'up');
    expect(step).toMatchObject({ migration: { id: 'chronos:0001_a' }, partial: { id: 'chronos:0001_a' } });
    expect(() => forbidPartial(partial, step, RERUN)).not.toThrow();
    expect(() => forbidPartial(partial, step, NEITHER)).toThrow(
      expect.objectContaining({
        reason: 'MIGRATION_PARTIAL',
        hint: expect.stringContaining('chronos-migrate repair chronos:0001_a'),
      }),
    );
  });

  it('that was being reverted may be applied or reverted again', () => {
    for (const direction of ['up', 'down'] as const) {
      const { step, partial } = next(
        ['up chronos:0001_a succeeded', 'down chronos:0001_a started'],
        direction,
      );
      expect(step).toMatchObject({
        migration: { id: 'chronos:0001_a' },
        direction,
        partial: { id: 'chronos:0001_a' },
      });
      expect(() => forbidPartial(partial, step, RERUN)).not.toThrow();
    }
  });

  it('is known beside one of another namespace, whichever began last', () => {
    for (const words of [
      ['up chronos:0001_a started', 'up app:0001_x started'],
      ['up app:0001_x started', 'up chronos:0001_a started'],
    ]) {
      const state = stateOf(words.map((each) => row(each)));
      const steps = planUp(fileSet([FILES[0]!, file('app:0001_x')]), state);
      expect(steps.map(({ partial }) => partial?.id)).toEqual(['chronos:0001_a', 'app:0001_x']);
      for (const partial of state.open) expect(() => forbidPartial(partial, steps[0]!, RERUN)).not.toThrow();
    }
  });

  it('stands in the way of the others of its namespace', () => {
    const { step, partial } = next(['up chronos:0001_a succeeded', 'up chronos:0002_b started'], 'down');
    expect(() => forbidPartial(partial, step, RERUN)).toThrow(
      expect.objectContaining({ reason: 'MIGRATION_PARTIAL', migration: 'chronos:0002_b' }),
    );
  });
});

describe('any files and any history', () => {
  const names = ['0001_a', '0002_b', '0003_c', '0004_d', '0005_e'];
  const world = fc.record({
    files: fc.subarray(names),
    edited: fc.subarray(names, { maxLength: 1 }),
    applied: fc.subarray(names),
    step: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
  });

  it('ends with all pending applied in order, or says what is wrong', () => {
    fc.assert(
      fc.property(world, ({ files, edited, applied, step }) => {
        const own = files.map((name) => file(`app:${name}`, edited.includes(name) ? { up: 'edited' } : {}));
        const options = step === undefined ? {} : { step };
        const wrong = wrongWith(files, edited, applied);
        const plan = () => up(own, done(...applied.map((name) => `app:${name}`)), options);
        if (wrong !== undefined) {
          expect(plan).toThrow(expect.objectContaining({ reason: wrong }));
        } else {
          const pending = files.filter((name) => !applied.includes(name)).slice(0, step);
          expect(plan()).toEqual(pending.map((name) => `app:${name}`));
        }
      }),
      { seed: 20_261, numRuns: 2000 },
    );
  });

  it('is the same whether done at once or step by step', () => {
    fc.assert(
      fc.property(fc.subarray(names), fc.integer({ min: 0, max: 5 }), (files, count) => {
        const own = files.map((name) => file(`app:${name}`));
        const log = done(...files.slice(0, count).map((name) => `app:${name}`));
        const whole = up(own, log);
        const stepwise: string[] = [];
        for (let [next] = up(own, log, { step: 1 }); next !== undefined; [next] = up(own, log, { step: 1 })) {
          stepwise.push(next);
          log.push(row(`up ${next} succeeded`));
        }
        expect(stepwise).toEqual(whole);
        expect(down(own, log, 'app', { to: '0' })).toEqual(own.map(({ id }) => id).reverse());
      }),
      { seed: 20_262, numRuns: 500 },
    );
  });

  /** Said another way than the planner does: from the names alone. */
  function wrongWith(files: string[], edited: string[], applied: string[]): string | undefined {
    if (applied.some((name) => !files.includes(name))) return 'MIGRATION_MISSING';
    if (applied.some((name) => edited.includes(name))) return 'CHECKSUM_MISMATCH';
    const newest = applied.at(-1) ?? '';
    if (files.some((name) => !applied.includes(name) && name < newest)) return 'OUT_OF_ORDER';
    return undefined;
  }
});
