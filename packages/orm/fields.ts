import type { Ctx, Id, Ids } from '@pergola/core';
import type { ColumnKind } from '@pergola/db';
import type { FileRef } from '@pergola/files';

export type { Id, Ids } from '@pergola/core';

/** An exact decimal number in plain notation, `"12.345678"`; calculate with {@link decimal}, never with floats. */
export type Decimal = string;

/** An amount as a whole number of the currency's minor units (cents). */
export type Minor = number;

/** Types created by `f`; `selectionAdd` creates a `selection`. */
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

/** Whether the column, or each language of it, holds the text itself. */
export function isText({ type, custom }: Pick<Field, 'type' | 'custom'>): boolean {
  return (type === 'char' || type === 'text' || type === 'html') && !custom?.column;
}

/** A type of fields declared by an addon: a narrower kind of values of a type of `f`. */
export interface CustomType<T = unknown> {
  /** In problems: `library.duration`. */
  readonly name: string;
  /** Type whose values look the same to screens, calls, files and the compiler of domains. */
  readonly base: 'char' | 'text' | 'integer' | 'float' | 'decimal' | 'date' | 'datetime' | 'json';
  /** The column, if it isn't that of the base type. It decides how values compare and sort; `ilike` needs text. */
  readonly column?: ColumnKind;
  /** Checks a value that the base type accepts, and returns its only form. Throws a FieldProblem for an invalid one. */
  readonly parse?: (value: T) => T;
  /** Converts a value for the column, also one of a domain, which may be invalid: throws InvalidInput then. */
  readonly toColumn?: (value: T) => unknown;
  readonly fromColumn?: (stored: never) => T;
  /** Text for readers, in `{{field}}`; default as the base type. */
  readonly format?: (value: T, lang: string) => string;
}

/**
 * A condition on fields of the same record, in the form of a domain: `[['state', '!=', 'draft']]`. Forms evaluate it while the user types;
 * paths into other records (`transaction_ids.state`) are evaluated by the model only.
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

/** Options of every field. */
export interface FieldOptions<T = unknown> {
  /** Label shown to users; derived from the field's name if omitted (`partner_id` → "Partner"). Translatable. */
  label?: string;
  /** Help text next to the input. Translatable. */
  help?: string;
  /** The model rejects an empty value; with a condition, only for records that meet it. */
  required?: boolean | Condition;
  /**
   * With `required`: if left empty, the model fills it in (`beforeCreate`) from another field of the record. Forms neither require it nor
   * suggest a default.
   */
  filled?: boolean;
  /**
   * `true`: forms and external calls can't change it; code can. A condition: nothing changes it, code included, while the condition holds
   * for the record as stored before the write; this also applies to the lines of a one2many field. So a write that makes the condition true
   * may still set the field, and a write that makes it false may not.
   */
  readonly?: boolean | Condition;
  /** Forms omit it while this condition holds, and it isn't required then. */
  hidden?: Condition;
  /**
   * Value of a new record if none is passed. A function may read from the database, receives the passed values, and returns null for no
   * value.
   */
  default?: T | ((ctx: Ctx, values: Readonly<Record<string, unknown>>) => T | null | Promise<T | null>);
  /**
   * Kept per language in one JSON column, with fallback to the default language. `html` has one structure for all languages, and texts per
   * language.
   */
  translate?: boolean;
  index?: boolean;
  /** No two records may share a value, except empty ones. */
  unique?: boolean;
  /** Name of the model's method that calculates the value: `(ids) => Promise<Map<Id, value>>`. */
  compute?: string;
  /**
   * With `compute`: name of the model's method that stores a written value, `(ids, value) => Promise<void>`. It runs after `afterCreate` or
   * `afterWrite`, in the same transaction. Without it, the field can't be written.
   */
  inverse?: string;
  /** Paths the computed value depends on, `line_ids.price_subtotal`. */
  depends?: readonly string[];
  /** Keeps the computed value in a column, updated in the transaction that changes a dependency. */
  store?: boolean;
  /** The value of another record's field, by path: `partner_id.email`. Not stored. */
  related?: string;
  /**
   * With `related` over one many2one field: written values go to that record, which is created for a new record that doesn't have one. For
   * models that extend another model's records, as a user extends a contact.
   */
  writable?: boolean;
  /** Groups that may read and write it (any of them); to others the field doesn't exist. */
  groups?: string | readonly string[];
  /** Changes are recorded in the audit trail. */
  tracked?: boolean;
  /**
   * For a value that changes often and is rarely read (a score): writing only such fields doesn't invalidate pages that read other fields
   * of the record. Must be stored, and not text.
   */
  apart?: boolean;
  /** `false`: undoing leaves the value as it is, as of a version that must not repeat. Secret fields never return either. */
  undo?: false;
  /** Copied by `copy`. Default true, but false for unique, computed and one2many fields. */
  copy?: boolean;
  /**
   * Never leaves the server (password hashes, tokens): can't be read, filtered, sorted or grouped by unless rights are lifted, and never by
   * external calls. Code that needs it reads it with `ctx.sudo()`, with the reason in a comment. Users who may write the record may write it.
   */
  secret?: boolean;
  /**
   * Secret texts and `json` are encrypted in the database and in backups (see `seal`), unless they are unique, indexed or computed. `false` for
   * hashes, which can't be read back anyway, and for values that the database compares: no domain finds an encrypted value.
   */
  sealed?: false;
}

interface TextOptions extends FieldOptions<string> {
  /** Maximum length in characters. Default 255 for char, 100 000 for text. */
  size?: number;
  /** Normalizes a text before it is checked and stored, for example by trimming it or turning it into a slug. */
  normalize?: (text: string) => string;
}
interface HtmlOptions extends FieldOptions<string> {
  /** Markup that survives sanitising on write. Default `page`. */
  sanitize?: 'page' | 'comment' | 'mail';
}
interface NumberOptions extends FieldOptions<number> {
  min?: number;
  max?: number;
}
interface DecimalOptions extends FieldOptions<Decimal> {
  /** Digits after the decimal point, at most 6 (the default). */
  places?: number;
  /** For a price: the many2one field with the currency to display it in. */
  currency?: string;
  /** For a share: whether 20 % is stored as 20 (`percent`) or 0.2 (`ratio`). Users may then enter and import "20 %". */
  percentage?: 'percent' | 'ratio';
  /** Condition on selection fields of the record under which the value is a percentage; in other records it is an amount. */
  percentageWhen?: readonly (readonly [field: string, operator: '=' | '!=', value: string])[];
}
interface MoneyOptions extends FieldOptions<Minor> {
  /** The many2one field with the currency. Default `currency_id`. */
  currency?: string;
}
interface MomentOptions extends FieldOptions<Date> {
  /**
   * The model's char field with the IANA zone in which users read and enter the value, usually the zone of the place; `@site` for the
   * site's zone. Screens, filters and files use it, and name it if it differs from the reader's zone. Without it, or while that field is
   * empty, the reader's zone applies.
   */
  timezone?: string;
}
interface FileOptions extends FieldOptions<FileRef> {
  /** Maximum size in bytes. */
  maxBytes?: number;
}
/**
 * Meaning of an empty relation: nothing (`none`: a product without tags), or everything (`all`: a rule without countries applies in every
 * country). Deleting a record never turns "only these" into "all": see `ondelete`.
 */
export type Emptiness = 'none' | 'all';

interface ToOneOptions extends FieldOptions<Id> {
  /**
   * Effect of deleting the target: the deletion is refused (`restrict`), this record is deleted too (`cascade`), or the field is emptied
   * (`set null`, which needs `empty: 'none'`). Default `set null` with `empty: 'none'`, else `restrict`.
   */
  ondelete?: 'restrict' | 'cascade' | 'set null';
  /** Meaning of an empty field. With `all`, `ondelete` must be `restrict` or `cascade`. */
  empty?: Emptiness;
  /** Restricts the choices offered to users: a domain on the target. */
  domain?: readonly unknown[];
  /**
   * Restricts choices to targets whose field (the key) points to the same record as this record's field: `{ country_id: 'country_id' }` for
   * the states of the country next to it. Targets created from the form start with that value. A many2one that doesn't match is rejected,
   * and emptied when the record's field changes; for x2many fields, `validate` has to check.
   */
  within?: Readonly<Record<string, string>>;
}
/** Meaning of a selection value at a glance: success, waiting, failure, in progress. */
export type ChoiceColor = 'success' | 'warning' | 'danger' | 'info';
interface SelectionOptions<V extends string> extends FieldOptions<V> {
  /** Theme colours for the labels of values; other values are neutral. */
  colors?: { readonly [K in V]?: ChoiceColor };
}
/** A field emptied by deleting its target must declare that empty means nothing. */
type Emptied = { ondelete?: 'restrict' | 'cascade' } | { ondelete: 'set null'; empty: 'none' };
interface ToManyOptions extends FieldOptions<Ids> {
  domain?: readonly unknown[];
  within?: Readonly<Record<string, string>>;
  /** Order of the lines; the target's default order if omitted. */
  order?: string;
}
interface LinksOptions extends ToManyOptions {
  /** The join table with its two columns; named after both models if omitted. */
  relation?: { table: string; from: string; to: string };
  /** Meaning of a record without links. With `all`, `ondelete` is required. */
  empty?: Emptiness;
  /**
   * Effect of deleting a linked record: it is refused (`restrict`), or the records that link to it are deleted too (`cascade`). If omitted,
   * only the link is deleted with `empty: 'none'`; otherwise the default is `restrict`.
   */
  ondelete?: 'restrict' | 'cascade';
}
/** Stored links must declare the meaning of an empty list. */
type LinksEmptied = { empty: Emptiness } | { compute: string } | { related: string };

/**
 * A field as a value: its type and options at run time, and in `$` (never set) the types inferred by the compiler: the value's type,
 * whether it is never empty, the model it points to and whether it holds several records.
 */
export interface Field<
  T = unknown,
  Filled extends boolean = boolean,
  To extends string = string,
  Many extends boolean = boolean,
> {
  readonly type: FieldType;
  // biome-ignore lint/suspicious/noExplicitAny: values of any type, as declared by `fieldType`
  readonly custom?: CustomType<any>;
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
  /**
   * Selection of an extension: adds to the values of the base field, and sets the values that replace them when the addon is uninstalled.
   */
  readonly added?: { readonly onUninstall: Readonly<Record<string, string | null>> };
  /** Relations: the other model's name. */
  readonly to?: To;
  /** one2many: the many2one on the other model. */
  readonly inverse?: string;
  /** many2many: the join table with its two columns. Derived from both names if omitted. */
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
  /** One line of text, up to 255 characters unless `size` is set. */
  char: <const O extends TextOptions>(options?: O): Field<string, FilledBy<O>, never, false> => make('char', options),
  /** Several lines of plain text. */
  text: <const O extends TextOptions>(options?: O): Field<string, FilledBy<O>, never, false> => make('text', options),
  /** Rich text, sanitised when written and when displayed. */
  html: <const O extends HtmlOptions>(options?: O): Field<string, FilledBy<O>, never, false> => make('html', options),
  /** A whole number within ±2^53. */
  integer: <const O extends NumberOptions>(options?: O): Field<number, FilledBy<O>, never, false> =>
    make('integer', options),
  /** A measurement; never money. */
  float: <const O extends NumberOptions>(options?: O): Field<number, FilledBy<O>, never, false> =>
    make('float', options),
  /** An exact decimal with up to 6 places: unit prices, rates, quantities. */
  decimal: <const O extends DecimalOptions>(options?: O): Field<Decimal, FilledBy<O>, never, false> =>
    make('decimal', options),
  /** An amount in minor units of the currency in `currency_id` (or the field set in `options.currency`). */
  money: <const O extends MoneyOptions>(options?: O): Field<Minor, FilledBy<O>, never, false> => make('money', options),
  /** True or false; never empty. */
  boolean: <const O extends FieldOptions<boolean>>(options?: O): Field<boolean, true, never, false> =>
    make('boolean', options),
  /** A calendar day without time zone, `"2026-11-21"`. */
  date: <const O extends FieldOptions<string>>(options?: O): Field<string, FilledBy<O>, never, false> =>
    make('date', options),
  /**
   * Calendar day of a datetime field in the zone set in the field `timezone`, or in the site's zone while that field is empty. Stored, so
   * that filters and groups by day use the local time of the place: `begin_day: f.localDay('date_begin', 'date_tz')`. With `isEnd` the last
   * day: midnight belongs to the day that ends.
   */
  localDay: (
    datetimeField: string,
    timezone: string,
    options: FieldOptions<string> & { readonly isEnd?: boolean } = {},
  ): Field<string, false, never, false> =>
    make('date', {
      copy: false,
      ...options,
      compute: 'computeLocalDays',
      depends: [datetimeField, timezone],
      store: true,
      localDayOf: datetimeField,
      timezone,
    }),
  /** A point in time, stored in UTC to the millisecond. */
  datetime: <const O extends MomentOptions>(options?: O): Field<Date, FilledBy<O>, never, false> =>
    make('datetime', options),
  /** One of a few fixed values; labels are derived from the values if these are a list. Never empty if it has a default. */
  selection: <const L extends Labels, const O extends SelectionOptions<ValueOf<L>>>(
    values: L,
    options?: O,
  ): Field<ValueOf<L>, O extends { default: string } ? true : FilledBy<O>, never, false> =>
    make('selection', options, { values: labelled(values) }),
  /** In an extension: more values for a selection of the base model. `onUninstall` maps them to the values that replace them in rows. */
  selectionAdd: <const L extends Labels>(
    values: L,
    options: { onUninstall: { readonly [V in ValueOf<L>]: string | null } },
  ): Field<ValueOf<L>, boolean, never, false> & { readonly adds: true } =>
    make('selection', {}, { values: labelled(values), added: { onUninstall: options.onUninstall }, adds: true }),
  /** JSON data; pass its type: `f.json<{ a: number }>()`. */
  json: <T = unknown>(options?: FieldOptions<T>): Field<T, false, never, false> => make('json', options),
  /** A file in the filestore. */
  binary: <const O extends FileOptions>(options?: O): Field<FileRef, FilledBy<O>, never, false> =>
    make('binary', options),
  /** A raster image in the filestore, re-encoded without its metadata. */
  image: <const O extends FileOptions>(options?: O): Field<FileRef, FilledBy<O>, never, false> =>
    make('image', options),
  /** A link to one record of another model, or of the same one. */
  many2one: <const M extends string, const O extends ToOneOptions & Emptied>(
    to: M,
    options?: O,
  ): Field<Id, FilledBy<O>, M, false> => make('many2one', options, { to }),
  /** The records of another model whose many2one `inverse` points to this record. */
  one2many: <const M extends string>(to: M, inverse: string, options?: ToManyOptions): Field<Ids, true, M, true> =>
    make('one2many', options, { to, inverse }),
  /** Links to several records, which may each be linked from several. Declares the meaning of an empty list: `{ empty: 'none' }`. */
  many2many: <const M extends string>(to: M, options: LinksOptions & LinksEmptied): Field<Ids, true, M, true> =>
    make('many2many', options, { to, relation: options?.relation }),
};

/**
 * Declares a type of fields; the function it returns declares such a field, like `f.char`. A field carries its type, so it isn't registered
 * anywhere else.
 *
 * ```ts
 * // Minutes as "1:30", compared and sorted as numbers.
 * const duration = fieldType<string>('library.duration', { base: 'char', column: 'bigint', parse, toColumn: minutesOf, fromColumn: clockOf });
 * class Talk extends model('library.talk', { length: duration({ required: true }) }) {}
 * ```
 *
 * @typeParam T its values, of the kind of the base type
 */
export function fieldType<T>(
  name: string,
  definition: Omit<CustomType<T>, 'name'>,
): <const O extends FieldOptions<T>>(options?: O) => Field<T, FilledBy<O>, never, false> {
  const custom = Object.freeze({ ...definition, name });
  return (options) => make(custom.base, options, { custom });
}

function labelled(values: Labels): Record<string, string> {
  if (!Array.isArray(values)) return { ...(values as Record<string, string>) };
  return Object.fromEntries((values as readonly string[]).map((value) => [value, humanize(value)]));
}

/** Derives a label from a name: `partner_id` → "Partner", `amount_total` → "Amount total". */
export function humanize(name: string): string {
  const words = name.replace(/_ids?$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
