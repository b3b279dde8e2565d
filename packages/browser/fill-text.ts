/** Values for the placeholders of a text. */
export type TextParams = Readonly<Record<string, string | number>>;

/** Ends the context of an ambiguous text, as in gettext: `button\u0004Post` is shown as “Post”, and translated separately from the noun. */
export const CONTEXT_END = '\u0004';

/** Text without its context. */
export function withoutContext(text: string): string {
  return text.slice(text.indexOf(CONTEXT_END) + 1);
}

/** Text without its context, with each `{name}` filled from `params`. Placeholders without a value stay. */
export function fillText(text: string, params: TextParams): string {
  return withoutContext(text).replace(/\{(\w+)\}/g, (place, name: string) => `${params[name] ?? place}`);
}

/** A translation, or one per addon if they differ. */
export type Translation = string | Readonly<Record<string, string>>;

/** Picks the translation of the given addon, or else the core's, or else any. The server and browsers make the same choice. */
export function translationOf(translation: Translation, addon: string): string {
  if (typeof translation === 'string') return translation;
  return (translation[addon] ?? translation.core ?? Object.values(translation)[0]) as string;
}

/** Ends the key of a plural text before the number of its form: the first form has the text itself as its key. */
export const FORM_MARK = '\u0001';

/** Numbers for which a language's forms are listed; rules of larger ones go by their last two digits. */
export const LISTED_NUMBERS = 200;

/**
 * Key of the plural form for a number.
 *
 * @param forms the form of each number from 0 below {@link LISTED_NUMBERS}, one digit each; English rules by default
 */
export function pluralKey(singular: string, n: number, forms: string | undefined): string {
  const integer = Math.abs(Math.trunc(n));
  const listed = integer < LISTED_NUMBERS ? integer : LISTED_NUMBERS / 2 + (integer % (LISTED_NUMBERS / 2));
  const form = forms?.[listed] ?? (n === 1 ? '0' : '1');
  return form === '0' ? singular : `${singular}${FORM_MARK}${form}`;
}
