import { fold } from '#core';

/** The words of a text as they are compared: small letters, no accents. */
export function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a name has all the words that somebody looks for, or begins of them. */
export function hasWords(name: string, text: string): boolean {
  const own = wordsOf(name);
  return wordsOf(text).every((word) => own.some((one) => one.startsWith(word)));
}
