import type { Log } from '../base/index.ts';
import type { Generation } from '../kernel/index.ts';
import type { Identity, RequestAttributes, SessionView } from './context.ts';
import type { Tracker } from './tracker.ts';

/** Options of a context for a request, job or command. Parts add their own by declaration merging. */
export interface ContextOptions {
  readonly generation: Generation;
  readonly identity: Identity;
  readonly lang: string;
  /** Defaults to the site's time zone. */
  readonly timezone?: string;
  /** Defaults to the zone of the first site, looked up before the work starts. */
  readonly siteTimezone?: string;
  readonly attributes: Readonly<RequestAttributes>;
  readonly session: SessionView;
  /** Network the request comes from; omitted without a request. */
  readonly network?: string;
  /** Log of the request: includes its id. */
  readonly log: Log;
  /** Tracks reads, for pages that may be cached; null or omitted without caching. */
  readonly tracker?: Tracker | null;
  /** Lifts rights; for the core's own reads (identities, attributes). */
  readonly su?: boolean;
  /** Name of the route or job, for database logs. */
  readonly label?: string;
}
