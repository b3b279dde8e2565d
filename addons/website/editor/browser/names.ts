/** Small words within names of people and places. */
const within = /^(?:de|du|des|la|le|les|di|da|van|von|der|den|zu)$/;

/** Whether a text is most likely a name, which is the same in all languages: “Marie du Pré”, “SC Freiburg”, “GmbH”; not “Opening hours”, nor “Contact”. */
export function looksLikeName(text: string): boolean {
  if (/[.!?:;]\s*$/.test(text)) return false;
  const words = (text.match(/[\p{L}\p{N}’'-]+/gu) ?? []).filter((word) => !within.test(word));
  if (words.length === 0 || words.length > 5) return false;
  const [first = ''] = words;
  // A word alone begins its line, so its first letter says nothing.
  return words.length === 1 ? /.\p{Lu}/u.test(first) : words.every((word) => /^[\p{Lu}\p{N}]/u.test(word));
}
