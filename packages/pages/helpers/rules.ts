/** Kinds of values that helpers can require. */
export type ValueKind = 'number' | 'moment' | 'zone' | 'amount' | 'currency' | 'list';

/** Rules for calling a helper, checked when templates are loaded. */
export interface HelperRule {
  /** Minimum and maximum number of values after the name. */
  readonly params: readonly [number, number];
  /** Supported options (`name=value`); `any` accepts every name. */
  readonly options?: readonly string[] | 'any';
  /** Use as a block `{{#x}}…{{/x}}`: never (default), always, or optional. */
  readonly block?: 'always' | 'either';
  /** Prints markup, so it isn't allowed in attributes. */
  readonly markup?: boolean;
  /** Option that makes it print plain text instead. */
  readonly plain?: string;
  /** Prints a safe address, which may start an href. */
  readonly url?: boolean;
  /** Kinds of its values, by position (0, 1, …) or option, for filling previews of emails. Omitted for values that may be any text. */
  readonly needs?: Readonly<Record<number | string, ValueKind>>;
  /** Its first value is a literal name, whose existence the core checks when a generation is built. */
  readonly names?: 'island' | 'fragment' | 'block' | 'group' | 'stylesheet';
}
export type HelperRules = ReadonlyMap<string, HelperRule>;

/** Helpers built into Handlebars. */
export const builtinRules: Readonly<Record<string, HelperRule>> = {
  /** `{{#if value}}…{{else}}…{{/if}}`: if the value isn't empty; false, null, 0, the empty text and the empty list are. */
  if: { params: [1, 1], options: ['includeZero'], block: 'always' },
  /** `{{#unless value}}…{{/unless}}`: if the value is empty. */
  unless: { params: [1, 1], options: ['includeZero'], block: 'always' },
  /** `{{#each rows}}{{name}}{{else}}none{{/each}}`: for each row; provides `this`, `@index`, `@first`, `@last`, `@key` and `../outer`. */
  each: { params: [1, 1], block: 'always' },
  /** `{{#with row}}{{name}}{{/with}}`: changes the context to a value. */
  with: { params: [1, 1], block: 'always' },
  /** `{{lookup prices id}}`: the member with that name. */
  lookup: { params: [2, 2] },
};

/** Option added by translations to make `{{plural}}` use the plural rules of the target language instead of the source's. */
export const translatedMark = 'translated';
