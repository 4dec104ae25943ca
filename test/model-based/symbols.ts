import type { PageOptions, SessionUpdate, UpdateOptions } from '../../src/index.ts';
import type { Model } from './model.ts';
import type { Method } from './modelled.ts';

// Arguments that only the run knows: the generated call holds a stand-in.

/** Stands for the `updatedAt` that the session has. */
export const STORED: Date = new Date(Date.UTC(1000, 0, 1, 12));

/** Stands for the head of the session of the first event. */
export const HEAD = 123_456_789;

/**
 * Stands for a cursor that the store gave, so many back from the newest: of the method and direction that it is passed
 * to, or of any; `damaged`: another letter in it.
 */
export function cursorFrom(which: 'own' | 'any' | 'damaged', back: number): string {
  return `${which} cursor ${back}`;
}

/** Stands for the age of what is from before a moment. */
export function ageOf(moment: Date): number {
  return -moment.getTime();
}

const CURSOR = /^(own|any|damaged) cursor (\d)$/;

/** The text of the cursor that an argument stands for: '' where there is none yet. */
function cursor(model: Model, method: string, args: readonly unknown[], arg: string): string {
  const [, which, back] = CURSOR.exec(arg) ?? [];
  if (which === undefined) return arg;
  const { direction = 'forward' } = (args.at(-1) ?? {}) as PageOptions;
  const texts = [...model.cursors]
    .filter(([, one]) => which !== 'own' || (one.method === method && one.direction === direction))
    .map(([text]) => text);
  const text = texts.at(-1 - Number(back)) ?? texts.at(-1) ?? '';
  const middle = text.length >> 1;
  if (which !== 'damaged' || text === '') return text;
  return text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
}

/** The arguments as they are sent. */
export function resolved(
  model: Model,
  tenantId: string,
  method: Method,
  args: readonly unknown[],
): unknown[] {
  const state = model.tenant(tenantId);
  const [first, second] = args as readonly [unknown, Record<string, unknown> | undefined];
  switch (method) {
    case 'updateSession': {
      const { id } = first as SessionUpdate;
      if ((second as UpdateOptions | undefined)?.ifUpdatedAt !== STORED) return [...args];
      return [first, { ifUpdatedAt: state.sessions.get(id)?.updatedAt ?? STORED }];
    }
    case 'appendEvents': {
      const [event] = first as readonly { readonly sessionId: string }[];
      if (second?.expectedSeq !== HEAD) return [...args];
      return [first, { expectedSeq: state.heads.get(event?.sessionId ?? '') ?? 0 }];
    }
    case 'applyRetention': {
      const { maxAge, ...policy } = first as { readonly maxAge?: number };
      const age = maxAge === undefined ? {} : { maxAge: Date.now() + maxAge };
      return [{ ...policy, ...age }, ...args.slice(1)];
    }
    case 'deleteTenant':
      return [model.tenantIds[Number(first)]];
    default:
      return args.map((arg) => (typeof arg === 'string' ? cursor(model, method, args, arg) : arg));
  }
}
