import { createHmac, randomBytes } from 'node:crypto';
import { service } from 'pergola';

const FOR_MS = 5 * 60_000;
const MAX_ENTRIES = 1_000;

/** Data of a user's row; a change of any of it invalidates earlier verifications. */
export interface Verified {
  readonly id: number;
  readonly password_hash: string | null;
  readonly credential_version: number | null;
}

/**
 * Cache of verified passwords: clients of `/jsonrpc` send the password with every call, and hashing it each time would cost more than the
 * call itself. Stores only keyed digests that this process alone can compute.
 */
export class VerifiedPasswords extends service('web.verified_passwords') {
  readonly #key = randomBytes(32);
  readonly #until = new Map<string, number>();

  /** Whether this password was verified within the last five minutes and the user hasn't changed since. */
  has(user: Verified, password: string): boolean {
    return (this.#until.get(this.#nameOf(user, password)) ?? 0) > performance.now();
  }

  add(user: Verified, password: string): void {
    const name = this.#nameOf(user, password);
    this.#until.delete(name);
    this.#until.set(name, performance.now() + FOR_MS);
    for (const oldest of this.#until.keys()) {
      if (this.#until.size <= MAX_ENTRIES) break;
      this.#until.delete(oldest);
    }
  }

  #nameOf({ id, password_hash, credential_version }: Verified, password: string): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([id, password_hash, credential_version, password]))
      .digest('base64');
  }
}
