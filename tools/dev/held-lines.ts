/**
 * Log lines of an application that is opened next to the one that serves. They are held until it is known which of them serves: one that is refused says
 * of itself what it would do, which isn't what happens.
 */
export class HeldLines {
  readonly #write: (line: string) => void;
  #lines: string[] = [];
  #state: 'held' | 'written' | 'dropped' = 'held';

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  add(line: string): void {
    if (this.#state === 'written') this.#write(line);
    else if (this.#state === 'held') this.#lines.push(line);
  }

  /** Writes what was held, and everything that follows. */
  release(): void {
    this.#state = 'written';
    for (const line of this.#lines.splice(0)) this.#write(line);
  }

  drop(): void {
    this.#state = 'dropped';
    this.#lines = [];
  }
}
