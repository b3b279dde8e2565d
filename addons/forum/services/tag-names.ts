import { TAG } from '../constants.ts';

/** Extracts tags separated by commas, spaces or underscores: lower case, without duplicates. */
export function tagNames(text: string): string[] {
  return [
    ...new Set(
      text
        .split(TAG.separators)
        .map((name) => name.normalize('NFC').toLowerCase())
        .filter((name) => name !== ''),
    ),
  ];
}

/** Returns why a tag can't be added, or null if it can. */
export function whyNot(tag: string, selected: readonly string[]): 'length' | 'twice' | 'many' | null {
  const letters = [...tag].length;
  if (letters < TAG.min || letters > TAG.max) return 'length';
  if (selected.includes(tag)) return 'twice';
  return selected.length >= TAG.most ? 'many' : null;
}
