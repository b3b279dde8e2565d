import type { Log } from '../base/index.ts';
import type { ReadBounds } from '../db/index.ts';
import type { Generation } from '../kernel/index.ts';
import type { Identity, RequestAttributes, SessionView } from './context.ts';
import type { Tracker } from './tracker.ts';

/** What a request brings to its context. */
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
  /** Whether rows that others have read serve as well, as long as no table they are from has changed: for pages. */
  readonly cachedRows?: boolean;
  /** Lifts rights; for the core's own reads (identities, attributes). */
  readonly su?: boolean;
  /** For logs of the database: the route's name. */
  readonly label?: string;
  /** How long its statements may take where it only reads, and what ends them. */
  readonly bounds?: ReadBounds;
}
