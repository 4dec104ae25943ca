import type { WireKind, WireRecords } from '../../src/index.ts';

export const AT: Date = new Date('2025-01-31T23:59:59.999Z');
export const ISO = '2025-01-31T23:59:59.999Z';

/** Each kind with every field, and its wire form: the keys of the Go package. */
export const FULL: { readonly [Kind in WireKind]: readonly [WireRecords[Kind], object] } = {
  session: [
    {
      id: 's',
      tenantId: 't',
      agentId: 'a',
      status: 'running',
      metadata: { aB: 1 },
      createdAt: AT,
      updatedAt: AT,
    },
    {
      id: 's',
      tenant_id: 't',
      agent_id: 'a',
      status: 'running',
      metadata: { aB: 1 },
      created_at: ISO,
      updated_at: ISO,
    },
  ],
  memory: [
    {
      id: 'm',
      tenantId: 't',
      sessionId: 's',
      agentId: 'a',
      userId: 'u',
      kind: 'short_term',
      key: 'k',
      value: [null],
      createdAt: AT,
    },
    {
      id: 'm',
      tenant_id: 't',
      session_id: 's',
      agent_id: 'a',
      user_id: 'u',
      kind: 'short_term',
      key: 'k',
      value: [null],
      created_at: ISO,
    },
  ],
  auditLog: [
    {
      id: 'l',
      tenantId: 't',
      sessionId: 's',
      actor: 'a',
      action: 'b',
      resource: 'c',
      detail: false,
      createdAt: AT,
    },
    {
      id: 'l',
      tenant_id: 't',
      session_id: 's',
      actor: 'a',
      action: 'b',
      resource: 'c',
      detail: false,
      created_at: ISO,
    },
  ],
  trace: [
    {
      id: 'x',
      tenantId: 't',
      sessionId: 's',
      parentId: 'p',
      name: 'n',
      kind: 'tool_call',
      input: { seqNum: 1 },
      output: 'o',
      error: 'e\0',
      startedAt: AT,
      endedAt: AT,
    },
    {
      id: 'x',
      tenant_id: 't',
      session_id: 's',
      parent_id: 'p',
      name: 'n',
      kind: 'tool_call',
      input: { seqNum: 1 },
      output: 'o',
      error: 'e\0',
      started_at: ISO,
      ended_at: ISO,
    },
  ],
  event: [
    {
      id: 'e',
      tenantId: 't',
      sessionId: 's',
      seqNum: -1,
      type: 'message',
      payload: { tenantId: 't' },
      createdAt: AT,
    },
    {
      id: 'e',
      tenant_id: 't',
      session_id: 's',
      seq_num: -1,
      type: 'message',
      payload: { tenantId: 't' },
      created_at: ISO,
    },
  ],
  checkpoint: [
    {
      id: 'c',
      tenantId: 't',
      sessionId: 's',
      runId: 'r',
      nodeId: 'n',
      state: { nodeId: [] },
      seqNum: 1,
      createdAt: AT,
    },
    {
      id: 'c',
      tenant_id: 't',
      session_id: 's',
      run_id: 'r',
      node_id: 'n',
      state: { nodeId: [] },
      seq_num: 1,
      created_at: ISO,
    },
  ],
};

/** The least that each kind may hold. */
export const LEAST: { readonly [Kind in WireKind]: WireRecords[Kind] } = {
  session: { id: 's', agentId: 'a', status: '' },
  memory: { id: 'm', agentId: 'a', kind: '', key: '', value: null },
  auditLog: { id: 'l', sessionId: 's', actor: '', action: '', resource: '' },
  trace: { id: 'x', sessionId: 's', name: '', kind: '' },
  event: { id: 'e', sessionId: 's', type: '', payload: 0 },
  checkpoint: { id: 'c', sessionId: 's', runId: '', nodeId: '', state: null, seqNum: 0 },
};
