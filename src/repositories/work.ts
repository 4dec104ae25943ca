import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, Row, SyncConnection, Values } from '../drivers/connection.ts';
import type { Statement } from '../sql/statement.ts';

/** One thing that a repository asks of a connection. */
export type Step =
  | { readonly do: 'run'; readonly statement: Statement; readonly values: Values }
  | { readonly do: 'rows'; readonly statement: Statement; readonly values: Values }
  | { readonly do: 'each'; readonly statement: Statement; readonly list: readonly Values[] }
  | { readonly do: 'script'; readonly text: string }
  | { readonly do: 'pause'; readonly ms: number; readonly signal: AbortSignal | undefined }
  | { readonly do: 'transaction'; readonly body: () => Work<unknown>; readonly once: boolean };

/**
 * What a repository's method does, as steps that whoever holds a connection performs: a promise for each on most
 * connections, all before the method returns on a handle of better-sqlite3 that a host lent.
 */
export type Work<T> = Generator<Step, T, unknown>;

/** Resolves to the number of rows that the statement inserted, changed or deleted. */
export function* run(statement: Statement, values: Values): Work<number> {
  return (yield { do: 'run', statement, values }) as number;
}

/** Resolves to the statement's rows. */
export function* rows(statement: Statement, values: Values): Work<readonly Row[]> {
  return (yield { do: 'rows', statement, values }) as readonly Row[];
}

/** Resolves to the first of the statement's rows. */
export function* row(statement: Statement, values: Values): Work<Row | undefined> {
  return ((yield { do: 'rows', statement, values }) as readonly Row[])[0];
}

/** Runs a statement once per item, in order; resolves to the counts. */
export function* each(statement: Statement, list: readonly Values[]): Work<readonly number[]> {
  return (yield { do: 'each', statement, list }) as readonly number[];
}

/** Runs SQL text without parameters. */
export function* script(text: string): Work<void> {
  yield { do: 'script', text };
}

/** Lets others pass for so many milliseconds, or until the signal; on a synchronous connection it does nothing. */
export function* pause(ms: number, signal?: AbortSignal): Work<void> {
  yield { do: 'pause', ms, signal };
}

/**
 * Runs `body` in a transaction, or in a savepoint inside one. It may be started again from its beginning, unless
 * `once` and it may have been committed.
 */
export function* transaction<T>(
  body: () => Work<T>,
  { once = false }: { readonly once?: boolean } = {},
): Work<T> {
  return (yield { do: 'transaction', body, once }) as T;
}

/**
 * Performs work on a connection, one step after the other. The first step is sent before this returns, but where
 * `before` is to come first: then only the arguments are checked.
 */
export async function perform<T>(
  connection: Connection,
  work: Work<T>,
  before?: () => Promise<void>,
): Promise<T> {
  let next = work.next();
  if (before !== undefined && !next.done) await before();
  while (!next.done) {
    let result: unknown;
    try {
      result = await performStep(connection, next.value);
    } catch (error) {
      next = work.throw(error);
      continue;
    }
    next = work.next(result);
  }
  return next.value;
}

function performStep(connection: Connection, step: Step): Promise<unknown> {
  switch (step.do) {
    case 'run':
      return connection.run(step.statement, step.values);
    case 'rows':
      return connection.rows(step.statement, step.values);
    case 'each':
      return connection.runEach(step.statement, step.list);
    case 'script':
      return connection.script(step.text);
    case 'pause':
      // Who was waited for is told by the signal itself, at the next look.
      return sleep(step.ms, undefined, step.signal ? { signal: step.signal } : {}).catch(() => {});
    case 'transaction':
      return (
        connection.transactionNow?.((tx) => performNow(tx, step.body())) ??
        connection.transaction((tx) => perform(tx, step.body()), { once: step.once })
      );
  }
}

/** Performs work on a synchronous connection: all of it is done when this returns or throws. */
export function performNow<T>(connection: SyncConnection, work: Work<T>): T {
  let next = work.next();
  while (!next.done) {
    let result: unknown;
    try {
      result = performStepNow(connection, next.value);
    } catch (error) {
      next = work.throw(error);
      continue;
    }
    next = work.next(result);
  }
  return next.value;
}

function performStepNow(connection: SyncConnection, step: Step): unknown {
  switch (step.do) {
    case 'run':
      return connection.run(step.statement, step.values);
    case 'rows':
      return connection.rows(step.statement, step.values);
    case 'each':
      return connection.runEach(step.statement, step.list);
    case 'script':
      return connection.script(step.text);
    case 'pause':
      return undefined;
    case 'transaction':
      return connection.transaction((tx) => performNow(tx, step.body()));
  }
}
