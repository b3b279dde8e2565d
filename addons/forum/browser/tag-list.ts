/** Bounds of tags, as the server has them. */
export const TAG = { min: 2, max: 35, most: 5, suggestions: 50 } as const;
/** Milliseconds after the last letter before suggestions are asked for. */
export const TYPING_DELAY = 500;
/** Milliseconds after which somebody who waits for suggestions is told that they are being loaded. */
export const LOADING_DELAY = 500;

/** The tags in a text, separated by commas, spaces and underscores: lower case, each once. */
export function tagsIn(text: string): string[] {
  return [
    ...new Set(
      text
        .split(/[,_\s]+/u)
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
