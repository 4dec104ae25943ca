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

  give(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}
