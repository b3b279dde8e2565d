import type { Id } from '@pergola/orm';
import type { SessionData } from './session-rows.ts';

/** Session changes requested by a handler, collected until its transaction commits. */
export class SessionChange {
  /** Values to set; `undefined` takes one away. */
  readonly values = new Map<string, unknown>();
  /** Who is to be signed in; undefined leaves that as it is. */
  userId: Id | undefined;
  /** Ends the existing session, with all its data. */
  ends = false;
  /** It gets a new id. */
  renews = false;

  get isEmpty(): boolean {
    return this.values.size === 0 && this.userId === undefined && !this.ends && !this.renews;
  }

  signIn(userId: Id): void {
    this.userId = userId;
    this.renews = true;
  }

  signOut(): void {
    this.values.clear();
    this.userId = undefined;
    this.ends = true;
  }

  /** The data afterwards. */
  applyTo(data: SessionData): SessionData {
    const merged = new Map([...Object.entries(data), ...this.values]);
    return Object.fromEntries([...merged].filter(([, value]) => value !== undefined));
  }

  /** Whether there is anything to keep in a session that did not exist. */
  get makesSession(): boolean {
    return this.userId !== undefined || [...this.values.values()].some((value) => value !== undefined);
  }
}
