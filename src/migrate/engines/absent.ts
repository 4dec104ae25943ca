import type { DialectName } from '../../sql/dialect-name.ts';
import type { LogEntry } from '../types.ts';
import type { MigrationEngine } from './engine.ts';
import { filled } from './placeholders.ts';

/** A file or folder that is not there yet. Reading says that nothing is applied: to open it would create it. */
export function absentEngine(dialectName: DialectName, target: string, schema = ''): MigrationEngine {
  const nothing = (): Promise<never> => Promise.reject(new Error(`${target} was opened for reading only`));
  return {
    dialectName,
    target,
    version: 'not created yet',
    connection: undefined,
    log: async (): Promise<readonly LogEntry[]> => [],
    locked: nothing,
    sql: (step) => filled(step, dialectName, schema),
    rerunnable: () => true,
    resumable: () => false,
    rowsIn: async () => null,
    holder: async () => undefined,
    close: async () => {},
  };
}
