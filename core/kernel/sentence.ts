/** A name from an addon (of a model, a field) in the source language; the addon's catalogue has the translations. */
export interface Word {
  readonly addon: string;
  readonly text: string;
}

/** A sentence in the source language with separate values, so a screen can translate it: `t(ctx, text, params)`. */
export interface Sentence {
  readonly text: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** Values that are names from addons, which screens show in the reader's language. */
  readonly words?: Readonly<Record<string, readonly Word[]>>;
}

/** Creates a {@link Sentence}. `words` become values too, joined with commas. */
export function sentence(text: string, params: Sentence['params'] = {}, words?: Sentence['words']): Sentence {
  if (!words) return { text, params };
  const wordParams = Object.entries(words).map(([name, list]) => [name, list.map((word) => word.text).join(', ')]);
  return { text, params: { ...params, ...Object.fromEntries(wordParams) }, words };
}

/** Returns the sentence in the source language, for command lines and logs. */
export function inEnglish({ text, params }: Sentence): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));
}
