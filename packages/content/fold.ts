/** Letters that Unicode doesn't decompose into a base letter and a mark. */
const letters: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
};
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'g');

/**
 * Normalised form of a text for search and sorting: compatibility characters decomposed, marks removed, lower case (`"Œuvre Élégante"` →
 * `"oeuvre elegante"`). Calculated here because the two databases fold texts differently.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(special, (letter) => letters[letter] ?? letter);
}

/**
 * Readable part of an address: folded, words joined by hyphens, at most `max` characters, cut between words if possible. Empty if no usable
 * characters remain (Chinese, emoji): callers then use only the id.
 */
export function slugify(text: string, max = 80): string {
  const slug = fold(text)
    .replace(/[’']/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (slug.length <= max) return slug;
  const cut = slug.slice(0, max);
  const lastWord = slug[max] === '-' ? max : cut.lastIndexOf('-');
  return (lastWord > max / 2 ? cut.slice(0, lastWord) : cut).replace(/-+$/, '');
}
