/** Kinds of values that a helper fails without. */
export type ValueKind = 'number' | 'moment' | 'zone' | 'amount' | 'currency' | 'list';

/** What templates may write when they call a helper; checked when they are loaded. */
export interface HelperRule {
  /** Fewest and most values after the name. */
  readonly params: readonly [number, number];
  /** Options (`name=value`) it knows; `any` takes every name. */
  readonly options?: readonly string[] | 'any';
  /** Written as `{{#x}}…{{/x}}`: never (the default), always, or either way. */
  readonly block?: 'always' | 'either';
  /** Prints markup, so it cannot stand in an attribute. */
  readonly markup?: boolean;
  /** The option that makes it print plain text instead. */
  readonly plain?: string;
  /** What it prints is a harmless address, which may begin an href. */
  readonly url?: boolean;
  /** Kinds of its values, by position (0, 1, …) or option: previews of mails fill them in. Values that may be any text are left out. */
  readonly needs?: Readonly<Record<number | string, ValueKind>>;
  /** Its first value is written out, not worked out: the core checks that it exists when a generation is built. */
  readonly names?: 'island' | 'fragment' | 'block' | 'group' | 'stylesheet';
}
export type HelperRules = ReadonlyMap<string, HelperRule>;

/** Those that Handlebars brings. */
export const builtinRules: Readonly<Record<string, HelperRule>> = {
  /** `{{#if value}}…{{else}}…{{/if}}`: unless it is empty; false, null, 0, the empty text and the empty list are. */
  if: { params: [1, 1], options: ['includeZero'], block: 'always' },
  /** `{{#unless value}}…{{/unless}}`: if it is empty. */
  unless: { params: [1, 1], options: ['includeZero'], block: 'always' },
  /** `{{#each rows}}{{name}}{{else}}none{{/each}}`: once for each; `this`, `@index`, `@first`, `@last`, `@key` and `../outer` are known in it. */
  each: { params: [1, 1], block: 'always' },
  /** `{{#with row}}{{name}}{{/with}}`: looks at it from within a value. */
  with: { params: [1, 1], block: 'always' },
  /** `{{lookup prices id}}`: the member of that name. */
  lookup: { params: [2, 2] },
};

/** The option that tells `{{plural}}` to count as the language does, not as the source's; the translation puts it there. */
export const translatedMark = 'translated';
