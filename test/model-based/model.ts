import {
  type KnownCursor,
  type Method,
  nothing,
  type Place,
  Refusal,
  type Rules,
  type Seen,
  type TenantState,
} from './modelled.ts';
import { auditLogs } from './rules/audit-logs.ts';
import { checkpoints } from './rules/checkpoints.ts';
import { events } from './rules/events.ts';
import { memory } from './rules/memory.ts';
import { removal, retention } from './rules/removal.ts';
import { sessions } from './rules/sessions.ts';
import { traces } from './rules/traces.ts';

/** The whole contract, on maps. */
const RULES: Rules<Method> = {
  ...sessions,
  ...memory,
  ...auditLogs,
  ...traces,
  ...events,
  ...checkpoints,
  ...removal,
  ...retention,
};

/** What a call answered: a value, or the code and facts of an error. */
export type Outcome = { readonly value: unknown } | { readonly error: Readonly<Record<string, unknown>> };

/** A call as the model takes it. */
export interface ModelCall {
  readonly tenantId: string;
  readonly bound: boolean;
  readonly method: Method;
  readonly args: readonly unknown[];
}

/** The storage contract in memory, for some tenants. */
export class Model {
  #tenants: ReadonlyMap<string, TenantState>;
  readonly #cursors = new Map<string, KnownCursor>();

  constructor(tenantIds: readonly string[]) {
    this.#tenants = new Map(tenantIds.map((id) => [id, nothing()]));
  }

  /** What the contract says that a call answers; `seen` is the store's answer. */
  call({ tenantId, bound, method, args }: ModelCall, seen: Seen): Outcome {
    const everyone = [...this.#tenants.values()];
    const place = { tenantId, bound, state: this.tenant(tenantId), everyone, cursors: this.#cursors, seen };
    const rule = RULES[method] as (at: Place, ...args: readonly unknown[]) => unknown;
    try {
      return { value: rule(place, ...args) };
    } catch (error) {
      if (error instanceof Refusal) return { error: error.facts };
      throw error;
    }
  }

  get tenantIds(): readonly string[] {
    return [...this.#tenants.keys()];
  }

  tenant(id: string): TenantState {
    const state = this.#tenants.get(id);
    if (!state) throw new Error(`the model has no tenant ${id}`);
    return state;
  }

  /** All cursors that the store gave, by their text, oldest first. */
  get cursors(): ReadonlyMap<string, KnownCursor> {
    return this.#cursors;
  }

  /** Puts back what is stored now. */
  snapshot(): () => void {
    const before = new Map([...this.#tenants].map(([id, state]) => [id, copy(state)]));
    return () => {
      this.#tenants = before;
    };
  }
}

function copy(state: TenantState): TenantState {
  return {
    sessions: new Map(state.sessions),
    memory: new Map(state.memory),
    auditLogs: new Map(state.auditLogs),
    traces: new Map(state.traces),
    events: new Map(state.events),
    checkpoints: new Map(state.checkpoints),
    heads: new Map(state.heads),
  };
}
