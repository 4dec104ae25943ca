// A process that walks a ledger and tells its greatest RSS.
import { openStorage } from '../../dist/index.js';

const [url = '', session = '', expected = ''] = process.argv.slice(2);
const storage = await openStorage(url);
let greatest = 0;
let count = 0;
for await (const _ of storage.iterateEvents(session)) {
  count += 1;
  if (count % 1000 === 0) greatest = Math.max(greatest, process.memoryUsage().rss);
}
await storage.close();
if (count !== Number(expected)) throw new Error(`walked ${count} events of ${expected}`);
process.send?.(greatest / 2 ** 20, () => process.disconnect());
