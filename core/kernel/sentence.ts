/** A name that an addon gave something (a model, a field), in the source language; its catalogue has it in others. */
export interface Word {
  readonly addon: string;
  readonly text: string;
}

/** A sentence in the source language with its values apart, so that a screen may show it in any: `t(ctx, text, params)`. */
export interface Sentence {
  readonly text: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** Which of the values are names that addons gave: a screen shows these in the addons' words for its reader. */
  readonly words?: Readonly<Record<string, readonly Word[]>>;
}

/** Makes a {@link Sentence}; `words` are values too, several of them with commas between. */
export function sentence(text: string, params: Sentence['params'] = {}, words?: Sentence['words']): Sentence {
  if (!words) return { text, params };
  const named = Object.entries(words).map(([name, list]) => [name, list.map((word) => word.text).join(', ')]);
  return { text, params: { ...params, ...Object.fromEntries(named) }, words };
}

/** The sentence in the source language, for command lines and logs. */
export function inEnglish({ text, params }: Sentence): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
