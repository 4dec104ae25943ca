// One migrator in a process of its own, to be raced, killed and paused: prints a JSON object per event.
// Arguments: folder of the built package, target, options as JSON, `up` or `down`.
import { pathToFileURL } from 'node:url';

const [dist = '', target = '', options = '{}', command = 'up'] = process.argv.slice(2);
const { createMigrator } = await import(pathToFileURL(`${dist}/migrate/index.js`).href);

/** @param {object} event */
const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
const migrator = createMigrator(target, { ...JSON.parse(options), onProgress: say });
try {
  const report = command === 'up' ? await migrator.up() : await migrator.down({ to: '0', yes: true });
  say({ kind: 'done', applied: report.applied, current: report.current });
} catch (error) {
  const { reason, message } = /** @type {{ reason?: string, message: string }} */ (error);
  say({ kind: 'error', reason, message });
  process.exitCode = 1;
} finally {
  await migrator.close();
}
