import { TAG } from '../constants.ts';

/** The tags in a text, separated by commas, spaces and underscores: lower case, each once. */
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

/** Why a tag cannot be added; null when it can. */
export function whyNot(tag: string, chosen: readonly string[]): 'length' | 'twice' | 'many' | null {
  const letters = [...tag].length;
  if (letters < TAG.min || letters > TAG.max) return 'length';
  if (chosen.includes(tag)) return 'twice';
  return chosen.length >= TAG.most ? 'many' : null;
}
