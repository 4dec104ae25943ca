const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const CLEAR_LINE = '\r\u001b[K';

/** A line that moves while something takes its time; only for terminals. */
export class Spinner {
  readonly #write: (text: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #text = '';
  #frame = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Shows `text` from now on. */
  spin(text: string): void {
    this.#text = text;
    this.#draw();
    // Unref'd: a spinner never keeps the process alive.
    this.#timer ??= setInterval(() => this.#draw(), 100).unref();
  }

  /** Wipes the line, so that another may be printed. */
  stop(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#write(CLEAR_LINE);
  }

  #draw(): void {
    const frame = FRAMES[this.#frame % FRAMES.length] ?? '';
    this.#frame += 1;
    this.#write(`${CLEAR_LINE}${frame} ${this.#text}`);
  }
}
