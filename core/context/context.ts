import type { Config, Id, Log, Now } from '../base/index.ts';
import type { Key, KeyClass } from '../kernel/index.ts';

/** Operations by model; in the scope of a credential `*` stands for every model. */
export type AccessScope = ReadonlyMap<string, ReadonlySet<'read' | 'write' | 'create' | 'unlink'>>;

/** Who acts. The core knows only this much of users; an addon provides it (`identity` in its definition). */
export interface Identity {
  /** The user record's id; null for a visitor who has not signed in, and for the system itself. */
  readonly id: Id | null;
  /** The contact that belongs to the user, if any. */
  readonly partnerId: Id | null;
  readonly name: string;
  readonly login: string | null;
  /** External ids of groups, implied ones included: `base.group_user`. */
  readonly groups: ReadonlySet<string>;
  readonly lang: string | null;
  readonly timezone: string | null;
  /** Rights beside those that access lists give the groups, by model: of roles that administrators made. */
  readonly grants?: AccessScope;
  /** Narrows everything done in the user's name, where they came with a credential for certain things only (an access token). */
  readonly scope?: AccessScope;
}

/** What a request is about beside its user: addons declare theirs (`website`, `cart`) by declaration merging and `requestAttribute(…)`. */
export interface RequestAttributes {
  /** The addon whose shipped records are being made; absent in requests. */
  readonly shippedBy?: string;
}

/** What a session keeps for a visitor; the row exists only once something was set or somebody signed in. */
export interface SessionView {
  /** Whether there is a session already. */
  readonly exists: boolean;
  /** Its number in the list of its user's sessions (`listSessions`); null where there is none yet. */
  readonly number: number | null;
  get(key: string): unknown;
  /** Kept when the request succeeds. Values are JSON. */
  set(key: string, value: unknown): void;
  /** Signs a user in: a new id, the old one is dead. Done after the commit. */
  signIn(userId: Id): void;
  /** Gives the session a new id and its forms new tokens, after what its owner may do has changed (a new password). Done after the commit. */
  renew(): void;
  /** Ends the session on all nodes. Done after the commit. */
  signOut(): void;
}

/**
 * A request's (or job's, or command's) view of the application; first parameter of everything that acts.
 *
 * It belongs to one generation and ends with its request: never keep it. Parts of the core add what is theirs by declaration merging: `model`, `jobs`,
 * `mail`, `files`, `settings`.
 */
export interface Ctx {
  readonly user: Identity;
  /** `en_US`, `fr_FR`. */
  readonly lang: string;
  /** IANA zone in which dates without one are shown: the reader's; in jobs, commands and shipped data the site's. */
  readonly timezone: string;
  /**
   * IANA zone of the site, whoever reads: of the request's website; in jobs, commands and shipped data of the first one; `UTC` if it has none. For
   * opening hours, `ctx.today(ctx.siteTimezone)`, and times of places that name no zone of their own.
   */
  readonly siteTimezone: string;
  readonly attributes: Readonly<RequestAttributes>;
  readonly config: Config;
  readonly log: Log;
  readonly session: SessionView;
  /** The network the request comes from (`networkOf`), for limits on what strangers use up; null where nobody asked: in jobs and commands. */
  readonly network: string | null;
  /** Whether rights are lifted. */
  readonly su: boolean;

  /**
   * What the container holds: a service, what the enabled addons registered at a contribution point, a value of the application.
   *
   * @throws Error for what no enabled addon brings.
   */
  get<T>(key: Key<T> | KeyClass<T>): T;
  /** Whether the user is in a group (or rights are lifted). */
  has(group: string): boolean;

  /** The same context with rights lifted. A comment beside each use says why. */
  sudo(): Ctx;
  /** The same transaction under another language, zone, user or attributes. */
  as(changes: ContextChanges): Ctx;

  /** The time; renders may read it only here, so that kept pages know when they expire. */
  now(): Now;
  /** Whether a moment has come; kept pages that ask are made anew when it does. */
  isPast(moment: Date): boolean;
}

/** What another context has in place of this one's. */
export interface ContextChanges {
  readonly lang?: string;
  readonly timezone?: string;
  /** For what is done for another site; `timezone` stays. */
  readonly siteTimezone?: string;
  readonly user?: Identity;
  readonly attributes?: Partial<RequestAttributes>;
}

/** A context with its end: `dispose` ends the services made for it and for every context derived from it. */
export interface OwnedContext {
  readonly ctx: Ctx;
  dispose(): Promise<void>;
}
