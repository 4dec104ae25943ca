import type { Row, Values } from '../drivers/connection.ts';
import { AlreadyExistsError, ConflictError, NotFoundError, UnavailableError } from '../errors.ts';
import { checkText } from '../model/check.ts';
import type { Checkpoint, NewCheckpoint } from '../model/records.ts';
import type { CheckpointPage } from '../model/results.ts';
import { CHECKPOINTS, type Column } from '../model/tables.ts';
import { columnsOf, encode } from '../sql/rows.ts';
import type { Backing } from './backing.ts';
import { getRow } from './by-id.ts';
import { statements } from './checkpoint-statements.ts';
import { checkpointOf } from './decode.ts';
import { insertedOne } from './insert.ts';
import { type PageArguments, readPage } from './paging.ts';
import { row, rows, run, transaction, type Work } from './work.ts';

const [SESSION] = columnsOf(CHECKPOINTS, 'session_id') as [Column];

/** How often a save starts again when what was in its way is gone a moment later. */
const ATTEMPTS = 5;

/** Checkpoints, of the tenant that each call names. */
export class Checkpoints {
  readonly #backing: Backing;

  constructor(backing: Backing) {
    this.#backing = backing;
  }

  *save(tenant: string, checkpoint: NewCheckpoint): Work<void> {
    yield* this.store(this.encoded(tenant, checkpoint));
  }

  /** A checked checkpoint, ready for {@link store}; `path` is what an error calls it. */
  encoded(tenant: string, checkpoint: NewCheckpoint, path?: string): Values {
    const { dialect, maxBytes } = this.#backing;
    return encode(dialect, CHECKPOINTS, checkpoint, { tenant, path, maxBytes });
  }

  /** Inserts; else replaces the row with this id. No engine's upsert tells the two unique keys apart. */
  *store(values: Values): Work<void> {
    const { insert } = statements(this.#backing.dialect);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (yield* insertedOne(insert, values)) return;
      if (yield* this.#replace(values)) return;
    }
    throw new UnavailableError('checkpoints.save: the place is taken and freed all the while', {
      reason: 'CONTENTION',
      retryable: true,
    });
  }

  *get(tenant: string, id: string): Work<Checkpoint> {
    return this.#checkpoint(yield* getRow(CHECKPOINTS, statements(this.#backing.dialect).get, tenant, id));
  }

  *latest(tenant: string, sessionId: string): Work<Checkpoint> {
    const found = yield* row(statements(this.#backing.dialect).pages.backward.first, {
      ...sessionKey(tenant, sessionId),
      limit: 1,
    });
    if (!found)
      throw new NotFoundError('checkpoint', sessionId, { called: 'of this session in this tenant' });
    return this.#checkpoint(found);
  }

  *list(tenant: string, sessionId: string): Work<Checkpoint[]> {
    const found = yield* rows(statements(this.#backing.dialect).list, sessionKey(tenant, sessionId));
    return found.map((one) => this.#checkpoint(one));
  }

  *page(tenant: string, sessionId: string, page: PageArguments): Work<CheckpointPage> {
    const { dialect } = this.#backing;
    const found = yield* readPage(dialect, statements(dialect).pages, {
      page,
      method: 'listCheckpointsPaged',
      values: sessionKey(tenant, sessionId),
    });
    return { checkpoints: found.rows.map((one) => this.#checkpoint(one)), nextCursor: found.nextCursor };
  }

  /** In a savepoint, since on Postgres the refusal of a taken place would end the caller's transaction. */
  *#replace(values: Values): Work<boolean> {
    try {
      const replaced = yield* transaction(() => this.#replaceInside(values));
      // Thrown out here: in there it would roll back, and nothing was changed.
      if (replaced === 'taken') throw taken();
      return replaced;
    } catch (error) {
      if (error instanceof AlreadyExistsError) throw taken(error);
      throw error;
    }
  }

  /** False when neither id nor place is stored any more. */
  *#replaceInside(values: Values): Work<boolean | 'taken'> {
    const { lock, holder, replace } = statements(this.#backing.dialect);
    const { tenant_id, id, session_id, seq_num } = values as Record<string, string | number>;
    if (!(yield* row(lock, { tenant_id: tenant_id!, id: id! }))) {
      const other = yield* row(holder, { tenant_id: tenant_id!, session_id: session_id!, seq_num: seq_num! });
      return other ? 'taken' : false;
    }
    yield* run(replace, values);
    return true;
  }

  #checkpoint(found: Row): Checkpoint {
    return checkpointOf(this.#backing.dialect, found);
  }
}

function sessionKey(tenant: string, sessionId: unknown): { tenant_id: string; session_id: string } {
  return { tenant_id: tenant, session_id: checkText('sessionId', sessionId, SESSION) };
}

function taken(cause?: unknown): ConflictError {
  return new ConflictError(
    'another checkpoint has this place in the session',
    cause === undefined ? {} : { cause },
  );
}
