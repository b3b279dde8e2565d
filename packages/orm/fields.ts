import type { Ctx, Id, Ids } from '@pergola/core';
import type { FileRef } from '@pergola/files';

export type { Id, Ids } from '@pergola/core';

/** An exact decimal number in plain notation, `"12.345678"`; calculate with {@link decimal}, never with floats. */
export type Decimal = string;

/** An amount as a whole number of the currency's minor units (cents). */
export type Minor = number;

/** What `f` makes; `selectionAdd` makes a `selection`. */
export type FieldType =
  | 'char'
  | 'text'
  | 'html'
  | 'integer'
  | 'float'
  | 'decimal'
  | 'money'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'selection'
  | 'json'
  | 'binary'
  | 'image'
  | 'many2one'
  | 'one2many'
  | 'many2many';

export function isText(type: FieldType): boolean {
  return type === 'char' || type === 'text' || type === 'html';
}

/**
 * A condition on the fields of the same record, in the form of a domain: `[['state', '!=', 'draft']]`. Forms look at it while somebody types; a path into other
 * records (`transaction_ids.state`) is for the model alone.
 */
export type Condition = readonly (
  | '&'
  | '|'
  | '!'
  | readonly [
      field: string,
      operator: '=' | '!=' | 'in' | 'not in' | '<' | '<=' | '>' | '>=',
      value: string | number | boolean | null | readonly (string | number)[],
    ]
)[];

/** What every field may say of itself. */
export interface FieldOptions<T = unknown> {
  /** Shown to people; made from the field's name when left out (`partner_id` → "Partner"). Translatable. */
  label?: string;
  /** A sentence of help beside the input. Translatable. */
  help?: string;
  /** The model refuses an empty value; with a condition, of records it holds for. */
  required?: boolean | Condition;
  /**
   * With `required`: the model fills it in when it is left empty (`beforeCreate`), from another field of the record. Forms do not ask for it, and offer
   * no default.
   */
  filled?: boolean;
  /**
   * `true`: forms and calls from outside can't change it; code can. A condition: nothing changes it while the condition holds for the record as it was before
   * the write, code included; the same goes for the lines of a one2many field. So a write that makes the condition hold may still set the field, and one that ends it may not.
   */
  readonly?: boolean | Condition;
  /** Forms leave it out while this holds, and it isn't required then. */
  hidden?: Condition;
  /** The value a new record gets when none is given; a function may read, sees the values that are given, and answers null for none. */
  default?: T | ((ctx: Ctx, given: Readonly<Record<string, unknown>>) => T | null | Promise<T | null>);
  /** Kept per language in one JSON column, with fallback to the default language. `html` has one structure in all of them, and texts per language. */
  translate?: boolean;
  index?: boolean;
  /** No two records share a value (empty ones aside). */
  unique?: boolean;
  /** Name of the model's method that works the value out: `(ids) => Promise<Map<Id, value>>`. */
  compute?: string;
  /**
   * With `compute`: name of the model's method that stores a value which was written, `(ids, value) => Promise<void>`. It runs after `afterCreate` or
   * `afterWrite`, in the same transaction. Without it, the field can't be written.
   */
  inverse?: string;
  /** Paths the computed value follows, `line_ids.price_subtotal`. */
  depends?: readonly string[];
  /** Keeps the computed value in a column, renewed in the transaction that changes what it depends on. */
  store?: boolean;
  /** The value of another record's field, by path: `partner_id.email`. Not stored. */
  related?: string;
  /**
   * With `related` over one many2one field: what is written goes to that record, and a new record without one gets one made. For models that are
   * another one and something more, as a user is a contact.
   */
  writable?: boolean;
  /** Groups that may read and write it (any of them); others do not know that it exists. */
  groups?: string | readonly string[];
  /** Changes are kept in the audit trail. */
  tracked?: boolean;
  /** Changes often, and few read it (a score): writing nothing else changes nothing for those who read other fields of the record. Stored, not text. */
  apart?: boolean;
  /** Taken over by `copy`. Default true, false for unique, computed and one2many fields unless said. */
  copy?: boolean;
  /**
   * Never leaves the server (password hashes, tokens): nobody reads, filters, sorts or groups by it, unless rights are lifted, and nobody from
   * outside at all. Code that needs it says `sudo()` and why. It may be written by those who may write the record.
   */
  secret?: boolean;
  /**
   * Secret texts and `json` are encrypted in the database and in backups (see `seal`), unless they are unique, indexed or computed. `false` for
   * hashes, which can't be read back anyway, and for values that the database compares: no domain finds an encrypted value.
   */
  sealed?: false;
}

interface TextOptions extends FieldOptions<string> {
  /** Longest value in characters. Default 255 for char, 100 000 for text. */
  size?: number;
  /** Brings a text into its one form before it's checked and kept: without spaces around it, as an address. */
  normalize?: (text: string) => string;
}
interface HtmlOptions extends FieldOptions<string> {
  /** What may stay when it is sanitised on writing. Default `page`. */
  sanitize?: 'page' | 'comment' | 'mail';
}
interface NumberOptions extends FieldOptions<number> {
  min?: number;
  max?: number;
}
interface DecimalOptions extends FieldOptions<Decimal> {
  /** Digits after the point, at most 6 (the default). */
  places?: number;
  /** For a price: the many2one field that says its currency, with which it is shown. */
  currency?: string;
  /** For a share: whether 20 (`percent`) or 0.2 (`ratio`) is 20 %. People may then enter and import "20 %". */
  percentage?: 'percent' | 'ratio';
  /** Condition on selections of the record under which it is one; other records hold amounts. */
  percentageWhen?: readonly (readonly [field: string, operator: '=' | '!=', value: string])[];
}
interface MoneyOptions extends FieldOptions<Minor> {
  /** The many2one field that says the currency. Default `currency_id`. */
  currency?: string;
}
interface MomentOptions extends FieldOptions<Date> {
  /**
   * The char field of the model with the IANA zone in which people read and type the value: that of the place; `@site` for the site's zone. Screens,
   * filters and files go by it, and name it if the reader's clocks differ. Without it, or while that field is empty, the reader's zone counts.
   */
  timezone?: string;
}
interface FileOptions extends FieldOptions<FileRef> {
  /** Largest file in bytes. */
  maxBytes?: number;
}
/**
 * What an empty relation stands for: nothing (`none`: a product without tags), or everything (`all`: a rule without countries applies in every country).
 * Deleting a record never turns "only these" into "all": see `ondelete`.
 */
export type Emptiness = 'none' | 'all';

interface ToOneOptions extends FieldOptions<Id> {
  /**
   * What deleting the target does to this record: the deletion is refused (`restrict`), this record goes too (`cascade`), or the field is emptied
   * (`set null`, which needs `empty: 'none'`). Default `set null` with `empty: 'none'`, else `restrict`.
   */
  ondelete?: 'restrict' | 'cascade' | 'set null';
  /** What an empty field stands for. With `all`, `ondelete` has to be `restrict` or `cascade`. */
  empty?: Emptiness;
  /** Offered to people as choices: a domain on the target. */
  domain?: readonly unknown[];
  /**
   * Offered are only targets whose field (the key) leads to the same record as this record's field: `{ country_id: 'country_id' }` for the states of
   * the country beside it. New ones that people make on the way begin with it. A many2one that does not fit is refused, and emptied where the record's field
   * changes; of several records `validate` says what fits.
   */
  within?: Readonly<Record<string, string>>;
}
/** What a value of a selection means at a glance: done well, waiting, gone wrong, on its way. */
export type ChoiceColor = 'success' | 'warning' | 'danger' | 'info';
interface SelectionOptions<V extends string> extends FieldOptions<V> {
  /** Colours of the theme, in which labels of values stand; the others are neutral. */
  colors?: { readonly [K in V]?: ChoiceColor };
}
/** A field that deleting its target empties says that this means nothing. */
type Emptied = { ondelete?: 'restrict' | 'cascade' } | { ondelete: 'set null'; empty: 'none' };
interface ToManyOptions extends FieldOptions<Ids> {
  domain?: readonly unknown[];
  within?: Readonly<Record<string, string>>;
  /** Sorting of the lines; the target's own when left out. */
  order?: string;
}
interface LinksOptions extends ToManyOptions {
  /** The table between, with its two columns; named after both models when left out. */
  relation?: { table: string; from: string; to: string };
  /** What a record without links stands for. With `all`, `ondelete` has to be there too. */
  empty?: Emptiness;
  /**
   * What deleting a linked record does: it is refused (`restrict`), or the records that link it go too (`cascade`). When left out, only the link goes with
   * `empty: 'none'`; a field that says neither is `restrict`.
   */
  ondelete?: 'restrict' | 'cascade';
}
/** Links that are stored say what it means to have none. */
type LinksEmptied = { empty: Emptiness } | { compute: string } | { related: string };

/**
 * A field as a value: its type and options at run time, and in `$` (never set) what the compiler infers from it:
 * the value's type, whether it is never empty, the model it leads to and whether to many.
 */
export interface Field<
  T = unknown,
  Filled extends boolean = boolean,
  To extends string = string,
  Many extends boolean = boolean,
> {
  readonly type: FieldType;
  readonly options: FieldOptions & {
    readonly size?: number;
    readonly normalize?: (text: string) => string;
    readonly sanitize?: 'page' | 'comment' | 'mail';
    readonly min?: number;
    readonly max?: number;
    readonly places?: number;
    readonly currency?: string;
    readonly percentage?: 'percent' | 'ratio';
    readonly percentageWhen?: readonly (readonly [field: string, operator: '=' | '!=', value: string])[];
    readonly timezone?: string;
    readonly localDayOf?: string;
    readonly isEnd?: boolean;
    readonly within?: Readonly<Record<string, string>>;
    readonly maxBytes?: number;
    readonly ondelete?: 'restrict' | 'cascade' | 'set null';
    readonly empty?: Emptiness;
    readonly domain?: readonly unknown[];
    readonly order?: string;
    readonly colors?: Readonly<Record<string, ChoiceColor>>;
  };
  /** Selection: values with their labels, in order. */
  readonly values?: Readonly<Record<string, string>>;
  /** Selection of an extension: adds to the values of the field below; says what becomes of them when the addon leaves. */
  readonly added?: { readonly onUninstall: Readonly<Record<string, string | null>> };
  /** Relations: the other model's name. */
  readonly to?: To;
  /** one2many: the many2one on the other side. */
  readonly inverse?: string;
  /** many2many: the table between, with its two columns. Made from both names when left out. */
  readonly relation?: { readonly table: string; readonly from: string; readonly to: string };
  readonly $?: readonly [T, Filled, To, Many];
}

/** A field of any value. */
// biome-ignore lint/suspicious/noExplicitAny: a field of any value; `unknown` would make fields invariant here
export type AnyField = Field<any, any, any, any>;
export type Fields = Readonly<Record<string, AnyField>>;

/** Filled = never empty when read. */
type FilledBy<O> = O extends { required: true } ? true : false;
type Labels = readonly string[] | Readonly<Record<string, string>>;
type ValueOf<L> = L extends readonly (infer V extends string)[] ? V : Extract<keyof L, string>;

function make<F>(type: FieldType, options: object = {}, more: object = {}): F {
  return Object.freeze({ type, options: Object.freeze(options), ...more }) as F;
}

/**
 * The fields of models.
 *
 * ```ts
 * class Tag extends model('forum.tag', { name: f.char({ required: true, size: 35 }), forum_id: f.many2one('forum.forum') }) {}
 * ```
 */
export const f = {
  /** One line of text, 255 characters unless `size` says otherwise. */
  char: <const O extends TextOptions>(options?: O): Field<string, FilledBy<O>, never, false> => make('char', options),
  /** Several lines of plain text. */
  text: <const O extends TextOptions>(options?: O): Field<string, FilledBy<O>, never, false> => make('text', options),
  /** Rich text, sanitised when written and again when shown. */
  html: <const O extends HtmlOptions>(options?: O): Field<string, FilledBy<O>, never, false> => make('html', options),
  /** A whole number within ±2^53. */
  integer: <const O extends NumberOptions>(options?: O): Field<number, FilledBy<O>, never, false> =>
    make('integer', options),
  /** A measure; never money. */
  float: <const O extends NumberOptions>(options?: O): Field<number, FilledBy<O>, never, false> =>
    make('float', options),
  /** An exact decimal of up to 6 places: unit prices, rates, quantities. */
  decimal: <const O extends DecimalOptions>(options?: O): Field<Decimal, FilledBy<O>, never, false> =>
    make('decimal', options),
  /** An amount in minor units of the currency that `currency_id` (or `options.currency`) names. */
  money: <const O extends MoneyOptions>(options?: O): Field<Minor, FilledBy<O>, never, false> => make('money', options),
  /** Yes or no; never empty. */
  boolean: <const O extends FieldOptions<boolean>>(options?: O): Field<boolean, true, never, false> =>
    make('boolean', options),
  /** A calendar day without a zone, `"2026-11-21"`. */
  date: <const O extends FieldOptions<string>>(options?: O): Field<string, FilledBy<O>, never, false> =>
    make('date', options),
  /**
   * The calendar day of a datetime field in the zone that the field `timezone` names; in the site's while that is empty. Stored, so that filters and groups
   * by day go by the clocks of the place: `begin_day: f.localDay('date_begin', 'date_tz')`. With `isEnd` the last day: midnight belongs to the day that ends.
   */
  localDay: (
    of: string,
    timezone: string,
    options: FieldOptions<string> & { readonly isEnd?: boolean } = {},
  ): Field<string, false, never, false> =>
    make('date', {
      copy: false,
      ...options,
      compute: 'computeLocalDays',
      depends: [of, timezone],
      store: true,
      localDayOf: of,
      timezone,
    }),
  /** A moment, kept in UTC to the millisecond. */
  datetime: <const O extends MomentOptions>(options?: O): Field<Date, FilledBy<O>, never, false> =>
    make('datetime', options),
  /** One of a few fixed values; a list makes labels from the values. With a default it is never empty. */
  selection: <const L extends Labels, const O extends SelectionOptions<ValueOf<L>>>(
    values: L,
    options?: O,
  ): Field<ValueOf<L>, O extends { default: string } ? true : FilledBy<O>, never, false> =>
    make('selection', options, { values: labelled(values) }),
  /** In an extension: more values for a selection of the model below. `onUninstall` says what rows that hold them get. */
  selectionAdd: <const L extends Labels>(
    values: L,
    options: { onUninstall: { readonly [V in ValueOf<L>]: string | null } },
  ): Field<ValueOf<L>, boolean, never, false> & { readonly adds: true } =>
    make('selection', {}, { values: labelled(values), added: { onUninstall: options.onUninstall }, adds: true }),
  /** JSON-shaped data; give its type: `f.json<{ a: number }>()`. */
  json: <T = unknown>(options?: FieldOptions<T>): Field<T, false, never, false> => make('json', options),
  /** A file in the filestore. */
  binary: <const O extends FileOptions>(options?: O): Field<FileRef, FilledBy<O>, never, false> =>
    make('binary', options),
  /** A raster image in the filestore, re-encoded without its metadata. */
  image: <const O extends FileOptions>(options?: O): Field<FileRef, FilledBy<O>, never, false> =>
    make('image', options),
  /** A link to one record of another model (or the same). */
  many2one: <const M extends string, const O extends ToOneOptions & Emptied>(
    to: M,
    options?: O,
  ): Field<Id, FilledBy<O>, M, false> => make('many2one', options, { to }),
  /** The records of another model whose many2one `inverse` leads here. */
  one2many: <const M extends string>(to: M, inverse: string, options?: ToManyOptions): Field<Ids, true, M, true> =>
    make('one2many', options, { to, inverse }),
  /** Links to several records, each of which may be linked from several. Says what it means to have none: `{ empty: 'none' }`. */
  many2many: <const M extends string>(to: M, options: LinksOptions & LinksEmptied): Field<Ids, true, M, true> =>
    make('many2many', options, { to, relation: options?.relation }),
};

function labelled(values: Labels): Record<string, string> {
  if (!Array.isArray(values)) return { ...(values as Record<string, string>) };
  return Object.fromEntries((values as readonly string[]).map((value) => [value, humanize(value)]));
}

/** A label from a name: `partner_id` → "Partner", `amount_total` → "Amount total". */
export function humanize(name: string): string {
  const words = name.replace(/_ids?$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
