import type { Connection } from '../../drivers/connection.ts';
import { forbidAborted } from '../../drivers/when-free.ts';
import { MigrationError } from '../../errors.ts';
import type { Log } from '../log.ts';
import { partialError, repairHint } from '../partial.ts';
import type { Step } from '../plan.ts';
import type { Partial } from '../state.ts';
import type { Place } from '../step-failure.ts';
import { checksum } from '../text/checksum.ts';
import { leadingWords, type Statement } from '../text/statements.ts';
import { rowOf } from './engine.ts';
import { type Change, changeOf, databaseUsed, isMade } from './mysql-change.ts';

/** What commits together with its row of the log; all else commits by itself. */
const DATA: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'replace', 'with', 'select']);
/** What changes the session only, and is therefore run again by whoever goes on; a transaction or lock is ended with it. */
const SESSION: ReadonlySet<string> = new Set(
  'set use do analyze prepare deallocate begin start commit rollback xa lock unlock'.split(' '),
);

/** Where a run of a file stands, for the one who has to tell of its failure. */
export interface Progress {
  at?: Place;
  /** Whether the statement there ended well, so that only its row is missing. */
  ran: boolean;
}

/** A host's file, statement by statement: each is logged, data with its row, structure with one before and after. */
export class HostFile {
  readonly #session: Connection;
  readonly #log: Log;
  readonly #step: Step;
  readonly #statements: readonly Statement[];
  readonly #signal: AbortSignal | undefined;

  constructor(
    session: Connection,
    log: Log,
    step: Step,
    statements: readonly Statement[],
    signal: AbortSignal | undefined,
  ) {
    this.#session = session;
    this.#log = log;
    this.#step = step;
    this.#statements = statements;
    this.#signal = signal;
  }

  /** How many statements are done; throws where that cannot be known, or is not true of the file any more. */
  async done(): Promise<number> {
    const { partial } = this.#step;
    if (partial === null) return 0;
    for (let n = 1; n <= partial.done; n += 1) this.#checkSame(partial, n);
    if (partial.doubt === null) return partial.done;
    const statement = this.#statements[partial.doubt - 1];
    if (statement === undefined || this.#differs(partial, partial.doubt)) throw unknown(partial);
    const change = isSession(statement) ? 'again' : changeOf(statement);
    if (change === undefined) throw unknown(partial);
    if (change === 'again' || !(await isMade(this.#session, this.#located(change, partial.doubt)))) {
      return partial.done;
    }
    await this.#append('step', partial.doubt);
    return partial.doubt;
  }

  async run(done: number, progress: Progress): Promise<void> {
    for (const [index, statement] of this.#statements.entries()) {
      const n = index + 1;
      if (n <= done && !isSession(statement)) continue;
      progress.at = { statement: n, statements: this.#statements.length, line: statement.line };
      progress.ran = false;
      forbidAborted(this.#signal);
      await this.#one(n, statement, progress);
    }
    progress.ran = true;
    delete progress.at;
  }

  async #one(n: number, statement: Statement, progress: Progress): Promise<void> {
    const options = this.#signal === undefined ? {} : { signal: this.#signal };
    if (isData(statement)) {
      await this.#session.transaction(async (tx) => {
        await tx.script(statement.text);
        await this.#log.append(tx, this.#row('step', n));
      }, options);
      return;
    }
    if (!isSession(statement) && !(await this.#isHopeless(statement))) {
      await this.#append('started', n);
    }
    await this.#session.script(statement.text, options);
    progress.ran = true;
    if (!isSession(statement)) await this.#append('step', n);
  }

  /** Whether it is sure to fail: then a row that says that it began would be read as a success if we were killed. */
  async #isHopeless(statement: Statement): Promise<boolean> {
    const change = changeOf(statement);
    return change !== undefined && change !== 'again' && (await isMade(this.#session, change));
  }

  /** The change of statement `n` where it was made: a `use` before it stood, and does not stand in this session. */
  #located(change: Change, n: number): Change {
    const uses = this.#statements.slice(0, n - 1).map(databaseUsed);
    return { ...change, database: change.database ?? uses.findLast((name) => name !== undefined) ?? null };
  }

  #append(event: 'started' | 'step', n: number): Promise<void> {
    return this.#log.append(this.#session, this.#row(event, n));
  }

  #row(event: 'started' | 'step', n: number): Parameters<Log['append']>[1] {
    const steps = this.#statements.length;
    return { ...rowOf(this.#step, event), step: n, steps, checksum: this.#checksum(n) };
  }

  #checksum(n: number): string {
    return checksum(this.#statements[n - 1]?.text ?? '');
  }

  #differs(partial: Partial, n: number): boolean {
    const logged = partial.checksums.get(n);
    return logged !== undefined && logged !== this.#checksum(n);
  }

  #checkSame(partial: Partial, n: number): void {
    if (n <= this.#statements.length && !this.#differs(partial, n)) return;
    const message = `${partial.id}: statement ${n} was edited after it had run`;
    throw new MigrationError(message, {
      reason: 'CHECKSUM_MISMATCH',
      migration: partial.id,
      statement: n,
      hint: `restore statements 1 to ${partial.done} as they were; those after them may be mended`,
    });
  }
}

function unknown(partial: Partial): MigrationError {
  return partialError(partial, repairHint(partial));
}

function isData(statement: Statement): boolean {
  const [word = ''] = leadingWords(statement, 1);
  return DATA.has(word) || statement.text.startsWith('(');
}

function isSession(statement: Statement): boolean {
  const [word = '', second = ''] = leadingWords(statement, 2);
  if (word === 'begin' && second === 'not') return false;
  return SESSION.has(word) || (second === 'temporary' && (word === 'create' || word === 'drop'));
}
