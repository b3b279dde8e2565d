import type { SessionView } from '@pergola/core';
import type { RequestInfo } from '../request-info.ts';
import type { HttpApplication } from '../types.ts';
import { HandlerEffects } from './handler-effects.ts';

/** Attempts of one handler: each starts without effects, and only the last one's are kept. */
export class Attempts {
  /** Session as a context sees it: always the current attempt's. */
  readonly session: SessionView;
  readonly #info: RequestInfo;
  #effects: HandlerEffects;

  constructor(info: RequestInfo) {
    this.#info = info;
    this.#effects = new HandlerEffects(info);
    this.session = followPresent(() => this.#effects.session);
  }

  get effects(): HandlerEffects {
    return this.#effects;
  }

  begin(): HandlerEffects {
    this.#effects = new HandlerEffects(this.#info);
    return this.#effects;
  }

  /** Saves the session's changes and returns all cookies of the reply. Call it after the handler's commit. */
  async finish(application: HttpApplication, wrote: boolean): Promise<readonly string[]> {
    const { ip, req } = this.#info;
    const userAgent = req.headers['user-agent'] ?? '';
    const { session, cookies } = this.#effects;
    // Session changes must also show on the visitor's next page, whichever node renders it.
    const fresh = wrote || session.changed;
    // Pages prefetched before this change are out of date.
    if (fresh) this.#effects.headers.set('clear-site-data', '"prefetchCache", "prerenderCache"');
    const sessionCookies = await session.commit({ ip, userAgent });
    return [...cookies, ...sessionCookies, ...(fresh ? application.pageCache.afterWrite() : [])];
  }
}

/** A proxy for the session of the current attempt. */
function followPresent(present: () => SessionView): SessionView {
  return new Proxy(present(), {
    get(_, name) {
      const session = present();
      const value: unknown = Reflect.get(session, name, session);
      return typeof value === 'function' ? value.bind(session) : value;
    },
  });
}
