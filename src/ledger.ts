import type { NewCheckpoint, NewEvent } from './model/records.ts';
import type { SavedWithEvent } from './model/results.ts';
import { AuditLogs } from './repositories/audit-logs.ts';
import type { Backing } from './repositories/backing.ts';
import { Checkpoints } from './repositories/checkpoints.ts';
import { Events } from './repositories/events.ts';
import { Memory } from './repositories/memory.ts';
import { Sessions } from './repositories/sessions.ts';
import { Traces } from './repositories/traces.ts';
import { transaction, type Work } from './repositories/work.ts';
import { Removal } from './retention/removal.ts';
import { Trims } from './retention/trims.ts';

/** Everything that a storage can do, as work for any connection of one dialect. */
export class Ledger {
  readonly sessions: Sessions;
  readonly memory: Memory;
  readonly auditLogs: AuditLogs;
  readonly traces: Traces;
  readonly events: Events;
  readonly checkpoints: Checkpoints;
  readonly removal: Removal;
  readonly trims: Trims;

  constructor(backing: Backing) {
    this.sessions = new Sessions(backing);
    this.memory = new Memory(backing);
    this.auditLogs = new AuditLogs(backing);
    this.traces = new Traces(backing);
    this.events = new Events(backing);
    this.checkpoints = new Checkpoints(backing);
    this.removal = new Removal(backing);
    this.trims = new Trims(backing, this.removal);
  }

  *saveCheckpointAndEvent(
    tenant: string,
    checkpoint: NewCheckpoint,
    event: NewEvent | undefined,
  ): Work<SavedWithEvent> {
    const { checkpoints, events } = this;
    const values = checkpoints.encoded(tenant, checkpoint, 'checkpoint');
    if (event === undefined) {
      yield* checkpoints.store(values);
      return {};
    }
    const appended = events.encoded(tenant, event, 'event');
    return yield* transaction(function* () {
      yield* checkpoints.store(values);
      return yield* events.store(appended);
    });
  }
}
