/** A text that no message, JSON or inspection (it is a private field) shows; only `reveal()` gives it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toJSON(): string {
    return '[hidden]';
  }

  toString(): string {
    return '[hidden]';
  }
}
