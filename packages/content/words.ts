import { closest } from '@pergola/core/edit-distance';
import { fold } from './fold.ts';

/** Shorter words are too like too many others to be corrected. */
const LEAST_LETTERS = 4;

/** The words of a text as they are compared: small letters, no accents. */
export function wordsOf(text: string): string[] {
  return writtenWords(fold(text));
}

/** The words of a text as they are written. */
export function writtenWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a name has all the words that somebody looks for, or begins of them. */
export function hasWords(name: string, text: string): boolean {
  const own = wordsOf(name);
  return wordsOf(text).every((word) => own.some((one) => one.startsWith(word)));
}

/** The text with each word that no known one begins with as the nearest of those, as it is written there; null when none is near. */
export function correctWords(text: string, known: readonly string[]): string | null {
  const words = wordsOf(text);
  const written = new Map(known.map((one) => [fold(one), one]));
  const all = [...written.keys()];
  const near = all.filter((one) => one.length >= LEAST_LETTERS);
  const corrected = words.map((word) => {
    if (word.length < LEAST_LETTERS || all.some((one) => one.startsWith(word))) return word;
    // What is still being typed is compared with beginnings.
    return (
      closest(word, near) ??
      closest(
        word,
        near.map((one) => one.slice(0, word.length)),
      ) ??
      word
    );
  });
  if (corrected.every((word, index) => word === words[index])) return null;
  return corrected.map((word) => written.get(word) ?? word).join(' ');
}
