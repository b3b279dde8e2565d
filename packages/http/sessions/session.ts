import type { Cookies, SessionView } from '@pergola/core';
import type { Id } from '@pergola/orm';

/** Sessions of visitors; rows are created only when data is stored. */
export interface SessionStore {
  /** `session_id`, or `__Host-session_id` on https sites. */
  readonly cookieName: string;
  /** The visitor's session; empty without a cookie, or if the cookie's session is forged, expired or ended. Cheap without a cookie. */
  load(cookies: Cookies): Promise<RequestSession>;
  /** Deletes expired sessions in small batches and returns how many. One node runs it from time to time. */
  sweep(): Promise<number>;
  /** Flushes pending writes (last-seen times). */
  close(): Promise<void>;
}

/** Enabled addons; the same array as long as they don't change. */
export type Addons = readonly { readonly name: string }[];

export interface RequestSession {
  /** Whether there is a session row behind it. */
  readonly exists: boolean;
  /** The signed-in user, or null. */
  readonly userId: Id | null;
  /** Secret the CSRF token is bound to; null without a session. */
  readonly csrfSecret: Uint8Array | null;
  /**
   * Receives the groups of the session's user. If they differ from those the session started with, the next `commit` gives it a new id.
   * Groups added or removed because `addons`, the enabled ones, changed are only recorded.
   */
  noteGroups(groups: ReadonlySet<string>, addons: Addons): void;
  /** View that collects changes until `commit`; a retried handler gets a new one. */
  draft(): SessionDraft;
}

/** Session changes of one attempt of a handler. */
export interface SessionDraft extends SessionView {
  /** Whether there are changes that the visitor's next request may depend on. */
  readonly changed: boolean;
  /** Saves the changes after the handler's commit and returns the `Set-Cookie` values of the reply. Does nothing without changes. */
  commit(about: { ip: string; userAgent: string }): Promise<readonly string[]>;
}
