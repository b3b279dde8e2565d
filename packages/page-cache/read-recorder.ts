import type { IncomingMessage } from 'node:http';
import type { Cookies } from '@pergola/core';
import type { VaryOn } from './vary-index.ts';

/** Records which headers and cookies of a request are read, whether or not they are set. */
export class ReadRecorder {
  readonly headers: IncomingMessage['headers'];
  readonly cookies: Cookies;
  readonly #headers = new Set<string>();
  readonly #cookies = new Set<string>();
  #traceable = true;

  constructor(headers: IncomingMessage['headers'], cookies: Cookies) {
    this.headers = this.#watch(headers, this.#headers);
    this.cookies = this.#watch(cookies, this.#cookies);
  }

  /** Names of the values read, in order. Null if anything but single text values was read, so that the dependencies are unknown. */
  varyOn(): VaryOn | null {
    // The cookie header contains all cookies.
    if (!this.#traceable || this.#headers.has('cookie')) return null;
    return { headers: [...this.#headers], cookies: [...this.#cookies] };
  }

  #watch<T extends Readonly<Record<string, string | string[] | undefined>>>(values: T, read: Set<string>): T {
    const note = (name: string | symbol): unknown => {
      const value: unknown = Reflect.get(values, name);
      if (typeof name === 'symbol' || (value !== undefined && typeof value !== 'string')) this.#traceable = false;
      else read.add(name);
      return value;
    };
    const untraceable = (): void => {
      this.#traceable = false;
    };
    return new Proxy(values, {
      get: (_, name) => note(name),
      has: (_, name) => note(name) !== undefined,
      ownKeys(target) {
        untraceable();
        return Reflect.ownKeys(target);
      },
      getOwnPropertyDescriptor(target, name) {
        untraceable();
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  }
}
