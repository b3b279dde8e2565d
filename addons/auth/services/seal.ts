import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Ctx } from '#core';

const IV = 12;
const TAG = 16;

/**
 * A text that only this site can read and nobody can change, for secrets that have to be read again: somebody who gets at the database alone, or a copy of it,
 * has none of them. `purpose` keeps what was sealed for one thing from being shown for another.
 */
export function seal(ctx: Ctx, purpose: string, text: string): string {
  const iv = randomBytes(IV);
  const cipher = createCipheriv('aes-256-gcm', keyFor(ctx, purpose), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** What {@link seal} was given; null for anything else, also for what was sealed with another `SESSION_SECRET`. */
export function unseal(ctx: Ctx, purpose: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.byteLength < IV + TAG) return null;
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(ctx, purpose), bytes.subarray(0, IV));
    decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
    return Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

function keyFor({ config }: Ctx, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', config.sessionSecret, '', purpose, 32));
}
