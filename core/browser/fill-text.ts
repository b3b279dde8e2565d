/** What the named places of a text are filled with. */
export type TextParams = Readonly<Record<string, string | number>>;

/** Ends the context of a text with several meanings, as in gettext: `button\u0004Post` is shown as “Post”, and translated apart from the noun. */
export const CONTEXT_END = '\u0004';

/** A text without its context. */
export function withoutContext(text: string): string {
  return text.slice(text.indexOf(CONTEXT_END) + 1);
}

/** A text without its context, with each `{name}` filled from `params`; places without a value stay. */
export function fillText(text: string, params: TextParams): string {
  return withoutContext(text).replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place));
}

/** A translation, or that of each addon where they differ. */
export type Translation = string | Readonly<Record<string, string>>;

/** Of several translations that of the nearest addon that speaks, else the core's, else any. The server and browsers choose alike. */
export function translationOf(known: Translation, addons: () => Iterable<string>): string {
  if (typeof known === 'string') return known;
  for (const speaker of [...addons(), 'core']) {
    const own = known[speaker];
    if (own !== undefined) return own;
  }
  return Object.values(known)[0] ?? '';
}
