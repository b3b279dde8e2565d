import { createHmac, randomBytes } from 'node:crypto';
import { service } from 'pergola';

const FOR_MS = 5 * 60_000;
const MOST = 1_000;

/** What a user's row says now; when any of it changes, nothing verified before counts. */
export interface Verified {
  readonly id: number;
  readonly password_hash: string | null;
  readonly credential_version: number | null;
}

/**
 * Passwords that came with a call and were right: clients of `/jsonrpc` send theirs with every call, and hashing it each time would cost more
 * than the call. Kept as what only this process can make of them.
 */
export class VerifiedPasswords extends service('web.verified_passwords') {
  readonly #key = randomBytes(32);
  readonly #until = new Map<string, number>();

  /** Whether this password of the user was found right within the last five minutes, and nothing changed since. */
  has(user: Verified, password: string): boolean {
    return (this.#until.get(this.#nameOf(user, password)) ?? 0) > performance.now();
  }

  add(user: Verified, password: string): void {
    const name = this.#nameOf(user, password);
    this.#until.delete(name);
    this.#until.set(name, performance.now() + FOR_MS);
    for (const oldest of this.#until.keys()) {
      if (this.#until.size <= MOST) break;
      this.#until.delete(oldest);
    }
  }

  #nameOf({ id, password_hash, credential_version }: Verified, password: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([id, password_hash, credential_version, password]))
      .digest('base64');
  }
}
