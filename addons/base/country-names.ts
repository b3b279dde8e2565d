import { fold } from 'pergola';

/** Languages in which spreadsheets may name countries. */
const LANGUAGES =
  'en fr de es it nl pt pl cs sk hu ro bg hr sl sr da sv nb fi et lv lt el tr uk ru ar he hi ja ko zh'.split(' ');

/**
 * Maps folded country names in many languages to ISO 3166-1 codes: `deutschland` to `DE`. Ambiguous names map to an empty code. Takes a
 * tenth of a second.
 */
export function countryCodesByName(): ReadonlyMap<string, string> {
  const codesByName = new Map<string, string>();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const regions = letters
    .flatMap((first) => letters.map((second) => first + second))
    // Excludes obsolete codes such as DD, which are also named Germany.
    .filter((code) => new Intl.Locale(`und-${code}`).region === code);
  for (const language of LANGUAGES)
    for (const style of ['long', 'short'] as const) {
      const names = new Intl.DisplayNames(language, { type: 'region', style, fallback: 'none' });
      for (const code of regions) {
        const name = fold(names.of(code) ?? '');
        const existingCode = codesByName.get(name);
        if (name !== '') codesByName.set(name, existingCode === undefined || existingCode === code ? code : '');
      }
    }
  return codesByName;
}
