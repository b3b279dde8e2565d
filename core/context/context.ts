import type { Config, Id, Log, Now } from '../base/index.ts';
import type { Key, KeyClass } from '../kernel/index.ts';

/** Operations by model; in the scope of a credential, `*` means every model. */
export type AccessScope = ReadonlyMap<string, ReadonlySet<'read' | 'write' | 'create' | 'unlink'>>;

/** The acting user. The core knows only these properties of users; an addon provides them (`identity` in its definition). */
export interface Identity {
  /** Id of the user record; null for visitors who aren't signed in, and for the system. */
  readonly id: Id | null;
  /** Contact of the user, if any. */
  readonly partnerId: Id | null;
  readonly name: string;
  readonly login: string | null;
  /** External ids of groups, including implied ones: `base.group_user`. */
  readonly groups: ReadonlySet<string>;
  readonly lang: string | null;
  readonly timezone: string | null;
  /** Rights by model from roles defined by administrators, in addition to the groups' access lists. */
  readonly grants?: AccessScope;
  /** Limits everything done in the user's name to the scope of their credential (an access token). */
  readonly scope?: AccessScope;
}

/**
 * Attributes of a request besides its user: addons declare their own (`website`, `cart`) by declaration merging and `requestAttribute(…)`.
 */
export interface RequestAttributes {
  /** Addon whose shipped records are being created; absent in requests. */
  readonly shippedBy?: string;
}

/** A visitor's session. Its row is only created once a value is set or a user signs in. */
export interface SessionView {
  /** Whether a session exists already. */
  readonly exists: boolean;
  /** Number in the list of the user's sessions (`listSessions`), or null without a session. */
  readonly number: number | null;
  get(key: string): unknown;
  /** Stored when the request succeeds. Values are JSON. */
  set(key: string, value: unknown): void;
  /** Signs a user in with a new session id; the old one becomes invalid. Done after the commit. */
  signIn(userId: Id): void;
  /** Gives the session a new id and its forms new tokens, after its owner's rights have changed (a new password). Done after the commit. */
  renew(): void;
  /** Ends the session on all nodes. Done after the commit. */
  signOut(): void;
}

/**
 * View of the application for a request, job or command; the first parameter of functions that use it.
 *
 * It belongs to one generation and ends with its request: never store it. Parts of the core add members by declaration merging: `model`,
 * `jobs`, `mail`, `files`, `settings`.
 */
export interface Ctx {
  readonly user: Identity;
  /** `en_US`, `fr_FR`. */
  readonly lang: string;
  /** IANA zone for dates without one: the reader's; in jobs, commands and shipped data, the site's. */
  readonly timezone: string;
  /**
   * IANA zone of the site, independent of the reader: of the request's website; in jobs, commands and shipped data, of the first website;
   * `UTC` if it isn't set. Use it for opening hours, `ctx.today(ctx.siteTimezone)`, and times of places without a zone.
   */
  readonly siteTimezone: string;
  readonly attributes: Readonly<RequestAttributes>;
  readonly config: Config;
  readonly log: Log;
  readonly session: SessionView;
  /** Network the request comes from (`networkOf`), for limits on anonymous use; null in jobs and commands. */
  readonly network: string | null;
  /** Whether rights are lifted. */
  readonly su: boolean;

  /**
   * Returns a service, the value of a contribution point, or an application value.
   *
   * @throws Error if no enabled addon provides it.
   */
  get<T>(key: Key<T> | KeyClass<T>): T;
  /** Whether the user is in a group (or rights are lifted). */
  has(group: string): boolean;

  /** Returns the same context with rights lifted. Add a comment with the reason to each use. */
  sudo(): Ctx;
  /** Returns the same transaction with another language, zone, user or attributes. */
  as(changes: ContextChanges): Ctx;

  /** Current time; renders must only read the time here, so cached pages know when they expire. */
  now(): Now;
  /** Whether a time has passed; if not, a cached page is rendered again when it does. */
  isPast(moment: Date): boolean;
}

/** Overrides for another context. */
export interface ContextChanges {
  readonly lang?: string;
  readonly timezone?: string;
  /** For work on another site; doesn't change `timezone`. */
  readonly siteTimezone?: string;
  readonly user?: Identity;
  readonly attributes?: Partial<RequestAttributes>;
}

/** A context and its end: `dispose` ends the services created for it and for every context derived from it. */
export interface OwnedContext {
  readonly ctx: Ctx;
  dispose(): Promise<void>;
}
