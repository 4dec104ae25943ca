// tau-bench: a file of results is a list of runs, each a conversation. Its messages are the events; a call of a tool and
// the message that answers it are a span. The format has no times and no states: no checkpoints.
import { numbered } from './numbered.mjs';
import { has } from './shape.mjs';

/**
 * @typedef {{ id: string, function: { name: string, arguments: string } }} Call
 * @typedef {{ role: string, content: string | null, tool_calls?: Call[], tool_call_id?: string }} Message
 * @typedef {{ task_id: number, trial: number, reward: number, info: object, traj: Message[] }} Result
 * @typedef {import('./store.mjs').Run} Run
 */

/** @type {import('./formats.mjs').Format} */
export const tauBench = {
  format: 'tau-bench',
  recognizes: (json) => Array.isArray(json) && json.every((one) => has(one, 'task_id', 'trial', 'traj')),
  runsOf: (json, name, at) => /** @type {Result[]} */ (json).map((result) => runOf(result, name, at)),
};

/**
 * @param {Result} result
 * @param {string} name
 * @param {Date} at
 * @returns {Run}
 */
function runOf({ traj, ...rest }, name, at) {
  const id = `${name}/${rest.task_id}/${rest.trial}`;
  return {
    session: { id, agentId: name, status: rest.reward === 1 ? 'completed' : 'failed', metadata: rest },
    events: traj.map((message, i) => ({
      id: `${id}/message/${numbered(i)}`,
      sessionId: id,
      type: message.role,
      payload: message,
    })),
    traces: traj.flatMap((message, i) =>
      (message.tool_calls ?? []).map((call, n) => spanOf(traj, { id, at, i, n }, call)),
    ),
    checkpoints: [],
  };
}

/**
 * A call's id comes again, in another run and in the same: its answer is the next message that carries it.
 * @param {readonly Message[]} traj
 * @param {{ id: string, at: Date, i: number, n: number }} place
 * @param {Call} call
 * @returns {Run['traces'][number]}
 */
function spanOf(traj, { id, at, i, n }, call) {
  const answer = traj.slice(i + 1).find(({ tool_call_id }) => tool_call_id === call.id)?.content ?? undefined;
  return {
    id: `${id}/call/${numbered(i)}/${n + 1}`,
    sessionId: id,
    name: call.function.name,
    kind: 'tool_call',
    input: JSON.parse(call.function.arguments),
    startedAt: at,
    ...(answer === undefined ? {} : { output: answer, endedAt: at }),
    ...(answer?.startsWith('Error:') ? { error: answer } : {}),
  };
}
