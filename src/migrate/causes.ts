/** An error and those that it names as its cause, outermost first; each once, though code may throw a ring of them. */
export function* causes(thrown: unknown): Generator<Error> {
  const seen = new Set<Error>();
  for (let error = thrown; error instanceof Error && !seen.has(error); error = error.cause) {
    seen.add(error);
    yield error;
  }
}
