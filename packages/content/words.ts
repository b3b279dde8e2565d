import { closest } from '@pergola/core/edit-distance';
import { fold } from './fold.ts';

/** Shorter words are too similar to many others to be corrected. */
const LEAST_LETTERS = 4;

/** Words of a text normalised for comparison: lower case, no accents. */
export function wordsOf(text: string): string[] {
  return writtenWords(fold(text));
}

/** Words of a text as written. */
export function writtenWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a name contains all the words of a search text, or words that start with them. */
export function hasWords(name: string, text: string): boolean {
  const own = wordsOf(name);
  return wordsOf(text).every((word) => own.some((one) => one.startsWith(word)));
}

/**
 * Corrects each word of a text that no known word starts with to the most similar known one, in its original spelling. Null if nothing
 * changes.
 */
export function correctWords(text: string, known: readonly string[]): string | null {
  const words = wordsOf(text);
  const written = new Map(known.map((one) => [fold(one), one]));
  const all = [...written.keys()];
  const near = all.filter((one) => one.length >= LEAST_LETTERS);
  const corrected = words.map((word) => {
    if (word.length < LEAST_LETTERS || all.some((one) => one.startsWith(word))) return word;
    // An incomplete word is compared with the starts of known words.
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
