import type { Applied, Progress } from '../migrate/types.ts';
import type { Printer } from './print.ts';
import { span } from './span.ts';

/** Prints what a migrator tells while it works, and keeps it for the case that it fails. */
export class Listener {
  readonly applied: Applied[] = [];
  readonly warnings: string[] = [];
  readonly #printer: Printer;
  #holder: string | undefined;
  #working = false;

  constructor(printer: Printer) {
    this.#printer = printer;
  }

  /** Whether a migration is between its start and its end. */
  get working(): boolean {
    return this.#working;
  }

  hear(progress: Progress): void {
    if (progress.kind === 'warning') this.#warning(progress.message);
    else if (progress.kind === 'waiting') this.#waiting(progress.holder, progress.waitedMs);
    else if (progress.kind === 'started') {
      this.#working = true;
      this.#printer.busy(`${progress.direction} ${progress.id}`);
      this.#printer.detail(`${progress.direction} ${progress.id} …`);
    } else this.#applied(progress);
  }

  #applied({ id, direction, ms }: Applied): void {
    this.#working = false;
    this.applied.push({ id, direction, ms });
    this.#printer.result(`${direction === 'up' ? 'applied' : 'reverted'} ${id} in ${span(ms)}`, 'green');
  }

  /** A line for each holder that is waited for; on a terminal the time runs. */
  #waiting(holder: string, waitedMs: number): void {
    if (holder !== this.#holder) this.#printer.note(`waiting for ${holder}`);
    this.#holder = holder;
    this.#printer.busy(`waiting for ${holder} (${span(waitedMs)})`);
  }

  #warning(message: string): void {
    if (!this.warnings.includes(message)) this.warnings.push(message);
    this.#printer.warn(message);
  }
}
