/**
 * Buffers the log of an application that is opened next to the serving one, until it is clear which of them will serve: the log of a
 * rejected one would describe things that don't happen.
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

  /** Writes the buffered lines, and all later ones directly. */
  release(): void {
    this.#state = 'written';
    for (const line of this.#lines.splice(0)) this.#write(line);
  }

  drop(): void {
    this.#state = 'dropped';
    this.#lines = [];
  }
}
