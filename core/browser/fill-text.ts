/** What the named places of a text are filled with. */
export type TextParams = Readonly<Record<string, string | number>>;

/** A text with each `{name}` filled from `params`; places without a value stay. */
export function fillText(text: string, params: TextParams): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(params[name] ?? place));
}
