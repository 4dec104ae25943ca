// SWE-agent: a `.traj` file is one run. Its messages are the events; each step of its trajectory is a span and, with the
// state after it, a checkpoint that stands at the place of the last message before the next step.
import { numbered } from './numbered.mjs';
import { has } from './shape.mjs';

/**
 * @typedef {{ role: string, agent?: string, message_type?: string, is_demo?: boolean }} Message
 * @typedef {{ action: string, observation: string, state: string | object }} Step
 * @typedef {{
 *   environment: string,
 *   history: Message[],
 *   trajectory: Step[],
 *   info: { exit_status: string | null },
 * }} Trajectory
 */

/** @type {import('./formats.mjs').Format} */
export const sweAgent = {
  format: 'SWE-agent',
  recognizes: (json) => has(json, 'trajectory', 'history', 'info'),
  runsOf(json, name, at) {
    const { history, trajectory, ...rest } = /** @type {Trajectory} */ (json);
    const key = { sessionId: name };
    return [
      {
        session: {
          id: name,
          agentId: 'swe-agent',
          status: rest.info.exit_status ?? 'failed',
          metadata: rest,
        },
        events: history.map((message, i) => ({
          ...key,
          id: `${name}/message/${numbered(i)}`,
          type: message.message_type ?? message.role,
          payload: message,
        })),
        // The files hold no times: a span is there, and how long it took is not.
        traces: trajectory.map(({ action, observation, state, ...more }, i) => ({
          ...key,
          id: `${name}/step/${numbered(i)}`,
          name: action.split(/\s/, 1)[0] ?? '',
          kind: 'tool_call',
          input: { action, ...more },
          output: observation,
          startedAt: at,
          endedAt: at,
        })),
        checkpoints: trajectory.map(({ state }, i) => ({
          ...key,
          id: `${name}/checkpoint/${numbered(i)}`,
          runId: name,
          nodeId: `step ${i + 1}`,
          state: typeof state === 'string' ? JSON.parse(state) : state,
          seqNum: lastPlaceOf(history, i),
        })),
      },
    ];
  },
};

/**
 * The place of the last message of a step: that before the agent speaks again. Places count from 1.
 * @param {readonly Message[]} history
 * @param {number} step
 */
function lastPlaceOf(history, step) {
  const turns = history.flatMap(({ role, is_demo }, i) => (role === 'assistant' && !is_demo ? [i] : []));
  return turns[step + 1] ?? history.length;
}
