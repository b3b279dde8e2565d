/** Lowercase particles in names of people and places. */
const particles = /^(?:de|du|des|la|le|les|di|da|van|von|der|den|zu)$/;

/**
 * Returns whether a text is probably a name, which needs no translation: “Marie du Pré”, “SC Freiburg”, “GmbH”, but not “Opening hours” or
 * “Contact”.
 */
export function looksLikeName(text: string): boolean {
  if (/[.!?:;]\s*$/.test(text)) return false;
  const words = (text.match(/[\p{L}\p{N}’'-]+/gu) ?? []).filter((word) => !particles.test(word));
  if (words.length === 0 || words.length > 5) return false;
  const [first = ''] = words;
  // The first letter of a single word is always uppercase, so it is ignored.
  return words.length === 1 ? /.\p{Lu}/u.test(first) : words.every((word) => /^[\p{Lu}\p{N}]/u.test(word));
}
