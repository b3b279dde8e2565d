import { fold } from '#core';

/** The words of a text as they are compared: small letters, no accents. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
