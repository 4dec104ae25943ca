// A run comes out of the ledger, and is what went in.

/** What the store fills in where a run has none. */
const FILLED = new Set(['tenantId', 'createdAt', 'updatedAt', 'startedAt', 'seqNum']);

/**
 * What of a run did not come back as it was given: nothing, or the ledger is broken.
 * @param {import('chronos-storage').Storage} storage
 * @param {import('./store.mjs').Run} run
 * @returns {Promise<string[]>}
 */
export async function differences(storage, run) {
  const { id } = run.session;
  const events = await all(storage.iterateEvents(id));
  return [
    ...compare('session', [run.session], [await storage.getSession(id)]),
    ...compare('event', run.events, events),
    ...compare('trace', run.traces, await all(storage.iterateTraces(id))),
    ...compare('checkpoint', run.checkpoints, await all(storage.iterateCheckpoints(id))),
    ...events.flatMap(({ seqNum }, i) => (seqNum === i + 1 ? [] : [`event ${i + 1} has place ${seqNum}`])),
  ];
}

/**
 * @template T
 * @param {AsyncIterable<T>} records
 * @returns {Promise<T[]>}
 */
async function all(records) {
  const found = [];
  for await (const record of records) found.push(record);
  return found;
}

/**
 * @param {string} what
 * @param {readonly object[]} given
 * @param {readonly object[]} found in the order of `given`
 * @returns {string[]}
 */
function compare(what, given, found) {
  if (given.length !== found.length) return [`${found.length} of ${given.length} ${what}s are there`];
  return given.flatMap((one, i) => {
    const other = found[i] ?? {};
    return textOf(one, one) === textOf(other, one) ? [] : [`${what} ${i + 1} is not what was given`];
  });
}

/**
 * A record as text, its fields by name and what is in them exactly as it stands, the order of keys too.
 * @param {object} record
 * @param {object} given
 */
function textOf(record, given) {
  const fields = Object.entries(record).filter(([name]) => name in given || !FILLED.has(name));
  return JSON.stringify(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}
