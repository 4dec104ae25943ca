/** Exit codes of the signals that end a run. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/** Ends a run on Ctrl-C: the first asks, the second ends at once. */
export class Signals {
  readonly #controller = new AbortController();
  #exitCode: number | undefined;

  /** `onFirst` is told that the run was asked to stop. */
  constructor(onFirst: () => void) {
    for (const [name, exitCode] of Object.entries(SIGNALS)) {
      process.on(name, () => {
        if (this.#exitCode !== undefined) process.exit(exitCode);
        this.#exitCode = exitCode;
        onFirst();
        this.#controller.abort();
      });
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** 130 or 143 once a signal came. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }
}
