/** Free text whose usual words an editor offers. */
export type Word<Usual extends string> = Usual | (string & Record<never, never>);

/** The usual words of a session's status; any other text of at most 64 code points is stored as given. */
export const SessionStatus: {
  readonly running: 'running';
  readonly paused: 'paused';
  readonly completed: 'completed';
  readonly failed: 'failed';
} = Object.freeze({ running: 'running', paused: 'paused', completed: 'completed', failed: 'failed' });

/** A session's status: one of {@link SessionStatus}, or a word of your own. */
export type SessionStatus = Word<(typeof SessionStatus)[keyof typeof SessionStatus]>;

/** The usual kinds of memory; any other text of at most 64 code points is stored as given. */
export const MemoryKind: {
  readonly shortTerm: 'short_term';
  readonly longTerm: 'long_term';
} = Object.freeze({ shortTerm: 'short_term', longTerm: 'long_term' });

/** A kind of memory: one of {@link MemoryKind}, or a word of your own. */
export type MemoryKind = Word<(typeof MemoryKind)[keyof typeof MemoryKind]>;

/** The usual kinds of a trace's span; any other text of at most 64 code points is stored as given. */
export const TraceKind: {
  readonly node: 'node';
  readonly toolCall: 'tool_call';
  readonly modelCall: 'model_call';
  readonly approval: 'approval';
} = Object.freeze({ node: 'node', toolCall: 'tool_call', modelCall: 'model_call', approval: 'approval' });

/** A kind of span: one of {@link TraceKind}, or a word of your own. */
export type TraceKind = Word<(typeof TraceKind)[keyof typeof TraceKind]>;
