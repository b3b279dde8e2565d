import { busy } from '../errors.ts';

/**
 * Where writes of this process wait for locks that others of it hold: in memory, first come first served, without a connection. A crowd that wants one
 * thing would else take every connection there is, to wait with.
 */
export class KeyedMutex {
  /** By name: those who wait behind the one who has it. */
  readonly #waiting = new Map<string, (() => void)[]>();

  isTaken(name: string): boolean {
    return this.#waiting.has(name);
  }

  /**
   * Waits until the caller is alone with all of these keys, which everybody names in one order, so that nobody waits in a circle.
   *
   * @returns what gives them back
   * @throws Unavailable after `patienceMs`
   */
  async enter(names: readonly string[], patienceMs: number): Promise<() => void> {
    const entered: string[] = [];
    const leave = (): void => {
      for (const name of entered.splice(0)) this.#leave(name);
    };
    const until = performance.now() + patienceMs;
    try {
      for (const name of names) {
        await this.#turn(name, until - performance.now());
        entered.push(name);
      }
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  #turn(name: string, patienceMs: number): Promise<void> {
    const waiting = this.#waiting.get(name);
    if (!waiting) {
      this.#waiting.set(name, []);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const mine = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(
        () => {
          waiting.splice(waiting.indexOf(mine), 1);
          reject(busy(`others were changing the same for ${Math.round(patienceMs)} ms`));
        },
        Math.max(1, patienceMs),
      );
      waiting.push(mine);
    });
  }

  #leave(name: string): void {
    const next = this.#waiting.get(name)?.shift();
    if (next) next();
    else this.#waiting.delete(name);
  }
}
