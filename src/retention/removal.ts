import { InvalidArgumentError } from '../errors.ts';
import { checkText } from '../model/check.ts';
import type { Removed } from '../model/results.ts';
import { type Column, SESSIONS } from '../model/tables.ts';
import type { Backing } from '../repositories/backing.ts';
import { run, transaction, type Work } from '../repositories/work.ts';
import { columnsOf } from '../sql/rows.ts';
import { checkPace, PACE, type Pace } from './options.ts';
import { type Child, statements } from './statements.ts';
import { reclaim, sweepAll, type Tally } from './sweep.ts';

const [TENANT, ID] = columnsOf(SESSIONS, 'tenant_id', 'id') as [Column, Column];
const CHILDREN: readonly Child[] = ['memory', 'auditLogs', 'traces', 'events', 'checkpoints'];

type Counts = { -readonly [Name in keyof Removed]: number };

/** Deletes sessions and tenants with all that belongs to them. */
export class Removal {
  readonly #backing: Backing;

  constructor(backing: Backing) {
    this.#backing = backing;
  }

  /** A session, and all that carries its id, whether there is such a session or not. */
  *session(tenant: string, sessionId: string): Work<Removed> {
    const id = checkText('id', sessionId, ID);
    return yield* transaction(() => this.#sessionInside(tenant, id));
  }

  /** All of a tenant; only of the one that is `named`. Each batch by itself: what was removed before an error stays removed. */
  *tenant(id: string, named: string | undefined, alone: boolean): Work<Removed> {
    const tenant = checkText('tenant', id, TENANT);
    if (named !== undefined && tenant !== named) {
      throw new InvalidArgumentError('tenant', 'is another than that of the context, which binds this call');
    }
    const { dialect } = this.#backing;
    const { wholes } = statements(dialect);
    const pace = checkPace(undefined, PACE);
    const tally = { tenant, removed: 0 };
    const values = { tenant_id: tenant };
    const counts: Counts = { ...NONE };
    // Sessions last: while something is left, so is what it belongs to.
    for (const name of [...CHILDREN, 'sessions'] as const) {
      counts[name] = yield* sweepAll(dialect, wholes[name], values, { pace, tally });
    }
    yield* sweepAll(dialect, wholes.heads, values, { pace, tally });
    if (alone) yield* reclaim(dialect, tally.removed);
    return counts;
  }

  *#sessionInside(tenant: string, id: string): Work<Removed> {
    const sessions = yield* run(statements(this.#backing.dialect).session, { tenant_id: tenant, id });
    return { ...(yield* this.children(tenant, id)), sessions };
  }

  /** All that carries a session's id; in a transaction that is open. */
  *children(tenant: string, id: string): Work<Removed> {
    const { dialect } = this.#backing;
    const { children, head } = statements(dialect);
    const values = { tenant_id: tenant, session_id: id };
    // Who appends waits for the head, and begins a new ledger.
    yield* run(head, values);
    const counts: Counts = { ...NONE };
    const how: { pace: Pace; tally: Tally } = {
      pace: checkPace(undefined, PACE),
      tally: { tenant, removed: 0 },
    };
    for (const name of CHILDREN) counts[name] = yield* sweepAll(dialect, children[name], values, how);
    return counts;
  }
}

const NONE: Removed = Object.freeze({
  sessions: 0,
  memory: 0,
  auditLogs: 0,
  traces: 0,
  events: 0,
  checkpoints: 0,
});
