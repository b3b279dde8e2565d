import type { IncomingMessage } from 'node:http';
import type { Cookies } from '../http/kernel-face.ts';

type Reads = readonly (readonly [name: string, value: string | undefined])[];

/** Headers and cookies of one request that note which of them are read, there or not. */
export class ReadRecorder {
  readonly headers: IncomingMessage['headers'];
  readonly cookies: Cookies;
  readonly #headers = new Map<string, string | undefined>();
  readonly #cookies = new Map<string, string | undefined>();
  #traceable = true;

  constructor(headers: IncomingMessage['headers'], cookies: Cookies) {
    this.headers = this.#watch(headers, this.#headers);
    this.cookies = this.#watch(cookies, this.#cookies);
  }

  /** What was read; null when it was more than single values of text, so that nothing can be told from it. */
  reads(): { readonly headers: Reads; readonly cookies: Reads } | null {
    // The cookie header as a whole holds every cookie.
    if (!this.#traceable || this.#headers.has('cookie')) return null;
    return { headers: [...this.#headers], cookies: [...this.#cookies] };
  }

  #watch<T extends Readonly<Record<string, string | string[] | undefined>>>(
    values: T,
    read: Map<string, string | undefined>,
  ): T {
    const note = (name: string | symbol): unknown => {
      const value: unknown = Reflect.get(values, name);
      if (typeof name === 'symbol' || (value !== undefined && typeof value !== 'string')) this.#traceable = false;
      else read.set(name, value);
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
