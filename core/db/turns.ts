/** Runs tasks one after another, in the order they came. An idle one starts at once. */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #running = false;

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running = true;
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running = false;
    }
  }
}
