import { closest } from '@pergola/core/edit-distance';
import { fold } from './fold.ts';

/** Shorter words are too similar to many others to be corrected. */
const MIN_LETTERS = 4;

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
  const nameWords = wordsOf(name);
  return wordsOf(text).every((word) => nameWords.some((nameWord) => nameWord.startsWith(word)));
}

/**
 * Corrects each word of a text that no known word starts with to the most similar known one, in its original spelling. Null if nothing
 * changes.
 */
export function correctWords(text: string, vocabulary: readonly string[]): string | null {
  const words = wordsOf(text);
  const spellings = new Map(vocabulary.map((entry) => [fold(entry), entry]));
  const all = [...spellings.keys()];
  const candidates = all.filter((entry) => entry.length >= MIN_LETTERS);
  const corrected = words.map((word) => {
    if (word.length < MIN_LETTERS || all.some((entry) => entry.startsWith(word))) return word;
    // An incomplete word is compared with the starts of known words.
    return (
      closest(word, candidates) ??
      closest(
        word,
        candidates.map((entry) => entry.slice(0, word.length)),
      ) ??
      word
    );
  });
  if (corrected.every((word, index) => word === words[index])) return null;
  return corrected.map((word) => spellings.get(word) ?? word).join(' ');
}
