import type { Log } from '../base/index.ts';
import type { Generation } from '../kernel/index.ts';
import type { Identity, RequestAttributes, SessionView } from './context.ts';
import type { Tracker } from './tracker.ts';

/** What a request, job or command brings to its context. Parts add theirs by declaration merging. */
export interface ContextOptions {
  readonly generation: Generation;
  readonly identity: Identity;
  readonly lang: string;
  /** Left out: the site's. */
  readonly timezone?: string;
  /** Left out: that of the first site, looked up before the work begins. */
  readonly siteTimezone?: string;
  readonly attributes: Readonly<RequestAttributes>;
  readonly session: SessionView;
  /** The network the request comes from; left out where nobody asked. */
  readonly network?: string;
  /** The request's own log: carries its id. */
  readonly log: Log;
  /** Follows what is read, for pages that may be kept; null or left out where nothing is kept. */
  readonly tracker?: Tracker | null;
  /** Lifts rights; for the core's own reads (identities, attributes). */
  readonly su?: boolean;
  /** Name of the route or job, for logs of the database. */
  readonly label?: string;
}
