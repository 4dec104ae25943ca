// Langfuse: an exported trace is one run. Each observation is a span; by the moment of its start it is an event too, which
// holds what a span has no field for (model, usage, cost). The export has no states: no checkpoints.
import { has } from './shape.mjs';

/**
 * @typedef {{
 *   id: string,
 *   parentObservationId: string | null,
 *   type: string,
 *   name: string | null,
 *   startTime: string,
 *   endTime: string | null,
 *   level: string,
 *   statusMessage: string | null,
 *   input?: unknown,
 *   output?: unknown,
 * }} Observation
 * @typedef {{
 *   trace: { id: string, name: string | null, timestamp: string, updatedAt: string, observations?: unknown },
 *   observations: Observation[],
 * }} Export
 */

/** @type {import('./formats.mjs').Format} */
export const langfuse = {
  format: 'Langfuse',
  recognizes: (json) => has(json, 'trace', 'observations'),
  runsOf(json) {
    const { trace, observations } = /** @type {Export} */ (json);
    // Some exports repeat all observations in the trace. Several traces may share a session of Langfuse, which stays
    // in the metadata: each is a run of its own.
    const { observations: _, ...metadata } = trace;
    const failed = observations.some(({ level }) => level === 'ERROR');
    return [
      {
        session: {
          id: trace.id,
          agentId: trace.name ?? 'langfuse',
          status: failed ? 'failed' : 'completed',
          metadata,
          createdAt: new Date(trace.timestamp),
          updatedAt: new Date(trace.updatedAt),
        },
        events: observations.toSorted(byStart).map((observation) => eventOf(trace.id, observation)),
        traces: observations.toSorted(byStart).map((observation) => spanOf(trace.id, observation)),
        checkpoints: [],
      },
    ];
  },
};

/** @type {Readonly<Record<string, string>>} */
const KINDS = { GENERATION: 'model_call', TOOL: 'tool_call' };

/**
 * The file's own order is not that of time.
 * @param {Observation} a
 * @param {Observation} b
 */
function byStart(a, b) {
  return a.startTime < b.startTime || (a.startTime === b.startTime && a.id < b.id) ? -1 : 1;
}

/**
 * @param {string} sessionId
 * @param {Observation} observation
 */
function eventOf(sessionId, { input, output, ...payload }) {
  return {
    id: payload.id,
    sessionId,
    type: payload.type.toLowerCase(),
    payload,
    createdAt: new Date(payload.startTime),
  };
}

/**
 * @param {string} sessionId
 * @param {Observation} observation
 */
function spanOf(sessionId, { id, parentObservationId, name, type, input, output, ...rest }) {
  return {
    id,
    sessionId,
    name: name ?? '',
    kind: KINDS[type] ?? 'node',
    startedAt: new Date(rest.startTime),
    ...(rest.endTime === null ? {} : { endedAt: new Date(rest.endTime) }),
    ...(parentObservationId === null ? {} : { parentId: parentObservationId }),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(rest.level === 'ERROR' ? { error: rest.statusMessage ?? '' } : {}),
  };
}
