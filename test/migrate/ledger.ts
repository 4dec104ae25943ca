import { checksum } from '../../src/migrate/text/checksum.ts';
import type { LogEntry, Migration } from '../../src/migrate/types.ts';

/** A migration by its id, made up. */
export function file(id: string, facts: { up?: string; down?: string | null } = {}): Migration {
  const [namespace = '', name = ''] = id.split(':');
  const { up = `create ${name}`, down = `drop ${name}` } = facts;
  const base = { namespace, name, id, up, checksum: checksum(up), directives: [] };
  return down === null ? base : { ...base, down };
}

let last = 0;

/** A row of the log: `up chronos:0001_a succeeded`. */
export function row(words: string, facts: Partial<LogEntry> = {}): LogEntry {
  const [direction, id = '', event] = words.split(' ');
  const [namespace = '', migration = ''] = id.split(':');
  last += 1;
  return {
    id: last,
    namespace,
    migration,
    direction: direction === 'down' ? 'down' : 'up',
    event: event as LogEntry['event'],
    step: null,
    steps: null,
    checksum: file(id).checksum,
    directives: null,
    at: new Date(0),
    durationMs: null,
    appliedBy: 'nobody',
    host: 'nowhere',
    toolVersion: '0',
    errorCode: null,
    errorMessage: null,
    ...facts,
  };
}
