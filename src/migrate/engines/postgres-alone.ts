import type { Connection } from '../../drivers/connection.ts';
import { Taken } from '../../drivers/when-free.ts';
import { MigrationError, UnavailableError } from '../../errors.ts';
import { statement as prepared } from '../../sql/statement.ts';
import { watched } from '../blocker.ts';
import type { Log } from '../log.ts';
import { partialError, repairHint } from '../partial.ts';
import type { Step } from '../plan.ts';
import type { Partial } from '../state.ts';
import { stepFailure } from '../step-failure.ts';
import { checksum } from '../text/checksum.ts';
import { leadingWords, type Statement, statementsOf } from '../text/statements.ts';
import { type EngineOptions, rowOf, type StepVerbs } from './engine.ts';
import { halfDone } from './half-done.ts';
import { blockerOfSql, sessionText } from './postgres-blocker.ts';
import { concurrentIndexOf, stateOfIndex } from './postgres-index.ts';

/** What may be run once more without harm. */
const REPEATABLE = /^(analyze|vacuum|cluster|checkpoint|reindex|refresh)\b/;
/** What may commit some of its work by itself before it fails. */
const PIECEMEAL = /^(call|do)$/;
/** Shorter than what the server lets the holder of the lock be idle (ms). */
const PING = 5_000;
/** By the simple protocol: the portal of a prepared statement keeps its snapshot, for which a concurrent build waits. */
const BEAT = 'select 1';
/** The server cuts what it shows of a statement. */
const RUNNING = prepared(
  'migrate.running',
  `select pid, usename as user, application_name as app, client_addr as address, state, query
from pg_catalog.pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
  and state = 'active' and left(query, 500) = left($1, 500) limit 1`,
  ['sql'],
);

/** A statement that Postgres refuses in a transaction, and the sessions to run it by. */
export interface Alone {
  readonly step: Step;
  readonly sql: string;
  /** Holds the lock, and stays idle. */
  readonly lock: Connection;
  /** Runs the statement and its rows of the log. */
  readonly work: Connection;
  readonly log: Log;
  readonly options: EngineOptions;
}

/**
 * Runs the one statement of a no-transaction file beside the transaction that has the lock. An index that an earlier
 * build left invalid is dropped first, since `if not exists` would adopt it. Throws {@link Taken} while the server
 * still runs the statement for one that is gone.
 */
export async function runAlone(alone: Alone, inner: (verbs: StepVerbs) => Promise<void>): Promise<void> {
  const { step, sql, work, log } = alone;
  const statement = statementsOf(sql, 'postgres')[0] as Statement;
  await forbidRunning(work, statement);
  const todo = await whatToDo(alone, statement);
  await log.append(work, {
    ...rowOf(step, 'started'),
    step: 1,
    steps: 1,
    checksum: checksum(statement.text),
  });
  await alone.lock.script(BEAT);
  const beat = setInterval(() => {
    if (alone.lock !== work) alone.lock.script(BEAT).catch(() => undefined);
  }, PING);
  try {
    await inner({
      run: async () => {
        for (const text of todo) await send(alone, text);
      },
      succeeded: (ms) => log.append(work, rowOf(step, 'succeeded', ms)),
    });
  } catch (thrown) {
    throw await failed(alone, statement, thrown);
  } finally {
    clearInterval(beat);
  }
}

async function forbidRunning(work: Connection, { text }: Statement): Promise<void> {
  const [row] = await work.rows(RUNNING, { sql: text });
  if (row !== undefined) throw new Taken(sessionText(row));
}

/** The statements to send: none where an earlier run that nobody heard the end of has done it. */
async function whatToDo(
  { step: { partial }, work }: Alone,
  statement: Statement,
): Promise<readonly string[]> {
  const { text } = statement;
  const index = concurrentIndexOf(statement);
  if (index === undefined) {
    if (partial !== null && !REPEATABLE.test(leadingWords(statement, 1).join(' '))) throw unknown(partial);
    return [text];
  }
  const { state, drop } = await stateOfIndex(work, index);
  if (partial !== null && edited(partial, text)) throw unknown(partial);
  if (partial !== null && state === (index.makes ? 'valid' : 'absent')) return [];
  return state === 'invalid' ? [drop, text] : [text];
}

function edited({ checksums }: Partial, text: string): boolean {
  const before = checksums.get(1);
  return before !== undefined && before !== checksum(text);
}

function unknown(partial: Partial): Error {
  return partialError(partial, repairHint(partial));
}

/**
 * In a session of its own, ended after it: a host's SQL may have left anything there. What blocks it longer than the
 * lock timeout ends it, by no setting of the session, which a pooler would hand on.
 */
async function send({ work, options }: Alone, text: string): Promise<void> {
  const { signal, lockTimeout, onProgress } = options;
  const blocked = new AbortController();
  const ends = signal === undefined ? blocked.signal : AbortSignal.any([signal, blocked.signal]);
  const watch = {
    ask: () => blockerOfSql(work, text),
    onProgress,
    onBlocked: (ms: number) => {
      if (ms >= lockTimeout) blocked.abort();
    },
  };
  const spent = () => true;
  await watched(watch, async () => {
    try {
      await work.session((session) => session.script(text, { signal: ends }), { spent });
    } catch (thrown) {
      if (!blocked.signal.aborted || signal?.aborted === true) throw thrown;
      const waited = `it was blocked for longer than ${lockTimeout / 1000} s`;
      throw new UnavailableError(waited, { reason: 'CONTENTION', retryable: true });
    }
  });
}

/** Logs a failure that the server told of: then nothing runs there any more. */
async function failed({ step, work, log }: Alone, statement: Statement, thrown: unknown): Promise<Error> {
  const { error, code, message, unknown: open } = stepFailure(step, thrown);
  const piecemeal = PIECEMEAL.test(leadingWords(statement, 1).join(''));
  if (!open) {
    // Where some of it may have stayed, the row that says that it began is the last word.
    const facts = rowOf(step, piecemeal ? 'started' : 'failed');
    const row = { ...facts, step: 1, steps: 1, checksum: checksum(statement.text) };
    // The failure is what the caller must hear of; an unlogged end is found out by the next run.
    await log.append(work, { ...row, errorCode: code, errorMessage: message }).catch(() => undefined);
  }
  if (piecemeal && error.reason !== 'INTERRUPTED') {
    return halfDone(step, `failed, perhaps after it had committed some of it: ${message}`, error.cause);
  }
  if (concurrentIndexOf(statement) === undefined) return error;
  return new MigrationError(error.message, {
    reason: error.reason ?? 'MIGRATION_FAILED',
    migration: step.migration.id,
    hint: 'an index that it began may have stayed invalid: the next `up` drops it first; mend the cause and run `up` again',
    cause: error.cause,
  });
}
