/**
 * One line of text without control and bidirectional characters: a name, title or address can't reorder or hide the text around it. Joiners
 * (U+200C, U+200D) stay; Persian and emoji need them.
 */
export function singleLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').replace(/\p{Bidi_Control}+/gu, '');
}

/**
 * Removes control, direction and other invisible characters from a text, for names of files and recipients. Joiners stay, as in {@link
 * singleLine}. Each run is replaced by `replacement`.
 */
export function withoutControls(text: string, replacement = ''): string {
  return text.replace(/(?:(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])+/gu, replacement);
}

/** Plain multi-line text without control characters and without direction marks that extend beyond the text (embeddings and overrides). */
export function plainLines(text: string): string {
  return text.replace(/[^\P{Cc}\t\n\r]+/gu, '').replace(/[\u202a-\u202e]+/gu, '');
}

/**
 * Whether a text contains a visible letter of any script. Hangul fillers and modifiers such as the Arabic tatweel are letters by category
 * only.
 */
export function hasLetter(text: string): boolean {
  return /(?!\p{Default_Ignorable_Code_Point})[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u.test(text);
}
