// Writers in a process of their own: append until the time is over, then tell what was acknowledged.
import { pathToFileURL } from 'node:url';

const [dist = '', target = '', task = '{}'] = process.argv.slice(2);
const { newId, openStorage } = await import(pathToFileURL(`${dist}/index.js`).href);
const { session, writers, milliseconds, expecting } = JSON.parse(task);
const storage = await openStorage(target);
process.send?.('ready');
await new Promise((go) => process.once('message', go));

const until = Date.now() + milliseconds;
/** @type {[string, number][]} */
const acknowledged = [];
let told = 0;

/** The next place, whichever it is. */
async function append() {
  const id = newId();
  const { seqNum } = await storage.appendEvent({ id, sessionId: session, type: 'message', payload: { id } });
  acknowledged.push([id, seqNum]);
}

let head = 0;

/** The place after the head that this process knows; who loses is told the head. */
async function appendExpected() {
  const id = newId();
  const event = { id, sessionId: session, type: 'message', payload: { id } };
  try {
    const { seqNums } = await storage.appendEvents([event], { expectedSeq: head });
    acknowledged.push([id, seqNums[0]]);
    head = Math.max(head, seqNums[0]);
  } catch (error) {
    const { code, actualSeq } = /** @type {{ code?: string, actualSeq?: number }} */ (error);
    if (code !== 'CONFLICT' || actualSeq === undefined) throw error;
    told += 1;
    head = Math.max(head, actualSeq);
  }
}

await Promise.all(
  Array.from({ length: writers }, async () => {
    while (Date.now() < until) await (expecting ? appendExpected() : append());
  }),
);
await storage.close();
process.send?.({ acknowledged, told }, () => process.disconnect());
