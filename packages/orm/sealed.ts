import { Conflict } from '@pergola/core';
import type { Codec } from '@pergola/db';
import { seal, unseal } from './seal.ts';

/** Prefix of every encrypted text; text without it was stored before the field was encrypted. */
const SEALED = 'sealed:';

/** A codec that also encrypts the texts of secret fields. */
export interface SealingCodec extends Codec, Sealer {}

/** Encrypts and decrypts stored texts; `purpose` is the table and column of the text. */
export interface Sealer {
  seal(purpose: string, text: string): string;
  /** Returns text that isn't encrypted as it is, and null if it was encrypted with another `SESSION_SECRET`. */
  unseal(purpose: string, stored: string): string | null;
}

/** The sealer of a site; `secret` is its `SESSION_SECRET`. */
export function sealWith(secret: string): Sealer {
  return {
    seal: (purpose, text) => SEALED + seal(secret, purpose, text),
    unseal: (purpose, stored) =>
      stored.startsWith(SEALED) ? unseal(secret, purpose, stored.slice(SEALED.length)) : stored,
  };
}

/** Returns a field's value in the form of its column, encrypted if the field is sealed. */
export function sealedValue(sealer: Sealer, field: SealedField, value: unknown): unknown {
  if (field.sealedFor === null) return value;
  return sealer.seal(field.sealedFor, field.type === 'json' ? JSON.stringify(value) : String(value));
}

/** Returns the value of a sealed field's decoded column, or undefined if it was encrypted with another `SESSION_SECRET`. */
export function unsealedValue(sealer: Sealer, { sealedFor, type }: SealedField, stored: unknown): unknown {
  if (sealedFor === null || !isSealed(stored)) return stored;
  const text = sealer.unseal(sealedFor, stored);
  if (text === null) return undefined;
  return type === 'json' ? JSON.parse(text) : text;
}

/** Whether a decoded column value is encrypted; values stored before the field was sealed aren't. */
export function isSealed(stored: unknown): stored is string {
  return typeof stored === 'string' && stored.startsWith(SEALED);
}

interface SealedField {
  readonly sealedFor: string | null;
  readonly type: string;
}

/** Error for a secret that was encrypted with another `SESSION_SECRET`. */
export function unreadableSecret(field: string): Conflict {
  return new Conflict(
    '“{field}” was encrypted with a different SESSION_SECRET. Start the site with that secret, or enter “{field}” again.',
    { code: 'core.other_session_secret', params: { field } },
  );
}
