import { busy } from '../errors.ts';

/**
 * Queue for writes of this process that wait for locks held by other writes of it: in memory, in order of arrival, without a connection.
 * Otherwise a crowd competing for one lock would occupy all connections while waiting.
 */
export class KeyedMutex {
  /** Waiting writes by lock name. */
  readonly #waiting = new Map<string, (() => void)[]>();

  isTaken(name: string): boolean {
    return this.#waiting.has(name);
  }

  /**
   * Waits for exclusive access to all of these keys. Callers must use a common order, so that they can't deadlock.
   *
   * @returns a function that releases them
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
      const waiter = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(
        () => {
          waiting.splice(waiting.indexOf(waiter), 1);
          reject(busy(`others were changing the same for ${Math.round(patienceMs)} ms`));
        },
        Math.max(1, patienceMs),
      );
      waiting.push(waiter);
    });
  }

  #leave(name: string): void {
    const next = this.#waiting.get(name)?.shift();
    if (next) next();
    else this.#waiting.delete(name);
  }
}
