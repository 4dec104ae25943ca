// A process that makes a collection when it is told to, and tells what it was told.
import { pathToFileURL } from 'node:url';

const [dist = '', target = '', name = ''] = process.argv.slice(2);
const { openStorage } = await import(pathToFileURL(`${dist}/index.js`).href);
const storage = await openStorage(target);
process.send?.('ready');
await new Promise((go) => process.once('message', go));
const made = await storage.vectors().createCollection(name, 3);
await storage.close();
process.send?.(made, () => process.disconnect());
