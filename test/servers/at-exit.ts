const EVENTS = ['SIGINT', 'SIGTERM', 'exit'] as const;

/**
 * Runs `clean` when the process ends before its teardown: vitest answers Ctrl-C by exiting at once, so only synchronous work is
 * still done. The signals are listened to as well, since a library that restores the default action ends the process without
 * an `exit` event.
 *
 * Answers the function that takes this back.
 */
export function atExit(clean: () => void): () => void {
  for (const event of EVENTS) process.on(event, clean);
  return () => {
    for (const event of EVENTS) process.off(event, clean);
  };
}
