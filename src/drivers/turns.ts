/** Lets one at a time pass, in order of asking. */
export class Turns {
  #taken = false;
  readonly #waiting: (() => void)[] = [];

  /** Whether it is nobody's turn. */
  get free(): boolean {
    return !this.#taken;
  }

  /** Waits for the turn; undefined when it is free now. */
  take(): Promise<void> | undefined {
    if (this.#taken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    return undefined;
  }

  /** Runs a task in its turn. */
  async through<T>(task: () => T | Promise<T>): Promise<T> {
    const turn = this.take();
    if (turn) await turn;
    try {
      return await task();
    } finally {
      this.give();
    }
  }

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}
