import type { Cookies, SessionView } from '@pergola/core';
import type { Id } from '@pergola/orm';

/** Sessions of visitors; rows exist only once something was kept in one. */
export interface SessionStore {
  /** `session_id`, or `__Host-session_id` where the site is https. */
  readonly cookieName: string;
  /** The visitor's session; an empty one when there is no cookie, or it names a session that is forged, expired or ended. Cheap without a cookie. */
  load(cookies: Cookies): Promise<RequestSession>;
  /** Deletes sessions that no longer hold, in small batches; answers how many. To be run now and then by one node. */
  sweep(): Promise<number>;
  /** Writes what is still to be written (when sessions were last seen). */
  close(): Promise<void>;
}

/** The enabled addons; the same array as long as they are the same. */
export type Addons = readonly { readonly name: string }[];

export interface RequestSession {
  /** Whether there is a session row behind it. */
  readonly exists: boolean;
  /** Who signed in, if anybody. */
  readonly userId: Id | null;
  /** What the CSRF token is bound to; null without a session. */
  readonly csrfSecret: Uint8Array | null;
  /**
   * Told the groups of the user behind the session: when they differ from those it was begun with, the next `commit` gives it a new id. Groups that came or
   * went because `addons`, the enabled ones, changed are only noted.
   */
  noteGroups(groups: ReadonlySet<string>, addons: Addons): void;
  /** A view that collects changes until `commit`; made anew for every try of a handler that is run again. */
  draft(): SessionDraft;
}

/** Changes of one try of a handler. */
export interface SessionDraft extends SessionView {
  /** Whether there is anything to commit that the visitor's next request may depend on. */
  readonly changed: boolean;
  /** Makes the changes lasting, after the handler's own commit; answers the `Set-Cookie` values for the reply. Nothing changed: nothing done. */
  commit(about: { ip: string; userAgent: string }): Promise<readonly string[]>;
}
