import type { SessionView } from '@pergola/core';
import type { RequestInfo } from '../request-info.ts';
import type { HttpApplication } from '../types.ts';
import { HandlerEffects } from './handler-effects.ts';

/** The attempts of one handler: each begins without effects, and those of the last one are made lasting. */
export class Attempts {
  /** The session as a context sees it: always that of the present try. */
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

  /** Makes the session's changes lasting; answers all cookies of the reply. To be called after the handler's own commit. */
  async finish(application: HttpApplication, wrote: boolean): Promise<readonly string[]> {
    const { ip, req } = this.#info;
    const userAgent = req.headers['user-agent'] ?? '';
    const { session, cookies } = this.#effects;
    // What is kept in the session shows on the visitor's next page too, whichever node makes it.
    const fresh = wrote || session.changed;
    // Pages that were fetched before it was wanted show what was before.
    if (fresh) this.#effects.headers.set('clear-site-data', '"prefetchCache", "prerenderCache"');
    const kept = await session.commit({ ip, userAgent });
    return [...cookies, ...kept, ...(fresh ? application.pageCache.afterWrite() : [])];
  }
}

/** A session that is whichever is the present one. */
function followPresent(present: () => SessionView): SessionView {
  return new Proxy(present(), {
    get(_, name) {
      const session = present();
      const value: unknown = Reflect.get(session, name, session);
      return typeof value === 'function' ? value.bind(session) : value;
    },
  });
}
