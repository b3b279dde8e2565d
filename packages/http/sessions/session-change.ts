import type { Id } from '@pergola/orm';
import type { SessionData } from './session-rows.ts';

/** Session changes requested by a handler, collected until its transaction commits. */
export class SessionChange {
  /** Values to set; `undefined` removes a value. */
  readonly values = new Map<string, unknown>();
  /** User to sign in; undefined leaves the user unchanged. */
  userId: Id | undefined;
  /** Ends the existing session, with all its data. */
  ends = false;
  /** Whether the session gets a new id. */
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

  /** The data after these changes. */
  applyTo(data: SessionData): SessionData {
    const merged = new Map([...Object.entries(data), ...this.values]);
    return Object.fromEntries([...merged].filter(([, value]) => value !== undefined));
  }

  /** Whether a new session has to be created for these changes. */
  get makesSession(): boolean {
    return this.userId !== undefined || [...this.values.values()].some((value) => value !== undefined);
  }
}
