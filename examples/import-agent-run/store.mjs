// A run goes into the ledger, all of it or nothing.

/**
 * What an import makes of one run. Its events carry no `seqNum`: the store gives them the places 1, 2, 3 and so on.
 * @typedef {{
 *   session: import('chronos-storage').NewSession,
 *   events: import('chronos-storage').NewEvent[],
 *   traces: import('chronos-storage').NewTrace[],
 *   checkpoints: import('chronos-storage').NewCheckpoint[],
 * }} Run
 */

/**
 * Stores a run in one transaction. Again is as good as once: events keep their first write, spans and checkpoints are
 * replaced by the same.
 * @param {import('chronos-storage').Storage} storage
 * @param {Run} run
 */
export function storeRun(storage, { session, events, traces, checkpoints }) {
  return storage.transaction(async (tx) => {
    // A session that is there leaves the transaction usable, on every engine.
    await tx.createSession(session).catch((error) => {
      if (error.code !== 'ALREADY_EXISTS') throw error;
    });
    await tx.appendEvents(events);
    await tx.insertTraces(traces);
    for (const checkpoint of checkpoints) await tx.saveCheckpoint(checkpoint);
  });
}
