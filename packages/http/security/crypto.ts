import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Compares two texts in constant time. For tokens, signatures and all other secrets. */
export function timingSafeEqualText(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * Signs a text with a signature that only this site can create, url-safe, 43 characters. `purpose` (`addon.name`) prevents a signature from
 * being used for anything else; `secret` is `config.sessionSecret`.
 *
 * ```ts
 * const signature = signText(ctx.config.sessionSecret, 'mass_mailing.unsubscribe', `${list}:${email}`);
 * ```
 */
export function signText(secret: string, purpose: string, text: string): string {
  return createHmac('sha256', secret).update(`${purpose.length}:${purpose}:${text}`).digest('base64url');
}

/** Whether `signature` was made by `signText` for the same secret, purpose and text; compared in constant time. */
export function verifyText(secret: string, purpose: string, text: string, signature: unknown): boolean {
  return typeof signature === 'string' && timingSafeEqualText(signText(secret, purpose, text), signature);
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
