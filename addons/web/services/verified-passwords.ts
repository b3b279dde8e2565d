import { createHmac, randomBytes } from 'node:crypto';
import { service } from '#core';

const FOR_MS = 5 * 60_000;
const MOST = 1_000;

export interface VerifiedPasswords {
  /** Whether this password of the user was found right within the last five minutes, and nothing changed since. */
  has(user: Verified, password: string): boolean;
  add(user: Verified, password: string): void;
}

/** What a user's row says now; when any of it changes, nothing verified before counts. */
export interface Verified {
  readonly id: number;
  readonly password_hash: string | null;
  readonly credential_version: number | null;
}

/**
 * Passwords that came with a call and were right (ruling 19): clients of `/jsonrpc` send theirs with every call, and hashing it each time would cost more
 * than the call. Kept as what only this process can make of them.
 */
export const verifiedPasswords = service<VerifiedPasswords>('web.verified_passwords', {
  make: () => {
    const key = randomBytes(32);
    const until = new Map<string, number>();
    const nameOf = ({ id, password_hash, credential_version }: Verified, password: string): string =>
      createHmac('sha256', key)
        .update(JSON.stringify([id, password_hash, credential_version, password]))
        .digest('base64');
    return {
      has: (user, password) => (until.get(nameOf(user, password)) ?? 0) > performance.now(),
      add(user, password) {
        const name = nameOf(user, password);
        until.delete(name);
        until.set(name, performance.now() + FOR_MS);
        for (const oldest of until.keys()) {
          if (until.size <= MOST) break;
          until.delete(oldest);
        }
      },
    };
  },
});
