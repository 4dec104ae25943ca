import { MigrationError, type Reason } from '../errors.ts';

/** What a migration's code threw, if no database did: its message is told whole. */
export class CodeError extends MigrationError {
  constructor(message: string, facts: { readonly reason?: Reason; readonly cause?: unknown } = {}) {
    super(message, { reason: 'MIGRATION_FAILED', ...facts });
  }
}
