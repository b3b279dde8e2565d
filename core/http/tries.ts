import type { SessionView } from '../context/context.ts';
import type { HttpKernel } from './kernel-face.ts';
import { Outcome } from './outcome.ts';
import type { Visit } from './visit.ts';

/** The tries of one handler: each begins with a clean outcome, and what the last one did is made lasting. */
export class Tries {
  /** The session as a context sees it: always that of the present try. */
  readonly session: SessionView;
  readonly #visit: Visit;
  #outcome: Outcome;

  constructor(visit: Visit) {
    this.#visit = visit;
    this.#outcome = new Outcome(visit);
    this.session = followPresent(() => this.#outcome.session);
  }

  get outcome(): Outcome {
    return this.#outcome;
  }

  begin(): Outcome {
    this.#outcome = new Outcome(this.#visit);
    return this.#outcome;
  }

  /** Makes the session's changes lasting; answers all cookies of the reply. To be called after the handler's own commit. */
  async finish(kernel: HttpKernel, wrote: boolean): Promise<readonly string[]> {
    const { ip, req } = this.#visit;
    const userAgent = req.headers['user-agent'] ?? '';
    const { session, cookies } = this.#outcome;
    // What is kept in the session shows on the visitor's next page too, whichever node makes it.
    const fresh = wrote || session.changed;
    const kept = await session.commit({ ip, userAgent });
    return [...cookies, ...kept, ...(fresh ? kernel.pageCache.afterWrite() : [])];
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
