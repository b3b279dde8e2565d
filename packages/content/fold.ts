/** Letters that Unicode does not take apart into a base letter and a mark. */
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
 * The form of a text that search and sorting compare: compatibility letters taken apart, marks dropped, lower case
 * (`"Œuvre Élégante"` → `"oeuvre elegante"`). Both databases get it ready-made, since neither folds like the other.
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
 * The readable part of an address: folded, words joined by hyphens, at most `max` characters and cut between words where possible.
 * Empty when nothing of the text is left (Chinese, emoji): callers then use the id alone.
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
