import type { Ctx, Key } from '@pergola/core';
import type { Field, Fields, Id, Ids } from './fields.ts';

/** Every model by name: the addon that defines a model adds a line (`declare module 'pergola' { interface Models { … } }`). */
// biome-ignore lint/suspicious/noEmptyInterface: addons fill it by declaration merging
export interface Models {}
/** Names of models known to the compiler. */
export type ModelName = keyof Models & string;

/** An intersection as one object type, so that editors show its members. */
export type Merge<T> = { [K in keyof T]: T[K] };

/** Fields that every record has. */
export type BaseFields = {
  id: Field<Id, true, never, false>;
  create_date: Field<Date, true, never, false>;
  create_uid: Field<Id, false, 'res.users', false>;
  write_date: Field<Date, true, never, false>;
  write_uid: Field<Id, false, 'res.users', false>;
  display_name: Field<string, true, never, false>;
};

/** Fields of an extension over the base fields: selections grow, other fields of the same name are replaced. */
export type Overlay<Below, Above> = {
  [K in keyof Below | keyof Above]: K extends keyof Above
    ? Above[K] extends { readonly adds: true }
      ? K extends keyof Below
        ? Below[K] extends Field<infer T, infer R, infer To, infer Many>
          ? Above[K] extends Field<infer U, boolean, string, boolean>
            ? Field<T | U, R, To, Many>
            : never
          : never
        : Above[K]
      : Above[K]
    : K extends keyof Below
      ? Below[K]
      : never;
};

type ValueOfField<F> = F extends Field<infer T, infer R, string, boolean> ? (R extends true ? T : T | null) : never;
type FieldsOfName<N extends string> = N extends ModelName
  ? Models[N] extends { readonly $fields?: infer F }
    ? NonNullable<F>
    : BaseFields
  : BaseFields;

/** A relation read with the fields of an extension: `line_ids: via(EventLine, { ticket_id: true })`. */
export interface Via<G, S> {
  readonly $via: string;
  readonly select: S;
  readonly $of?: G;
}

/** Fields to read; relations are read as ids (`true`) or with a nested select. */
export type Select<F> = {
  readonly [K in keyof F]?: F[K] extends Field<unknown, boolean, infer To, boolean>
    ? [To] extends [never]
      ? true
      : // biome-ignore lint/suspicious/noExplicitAny: any extension's fields
        true | Select<FieldsOfName<To>> | Via<any, any>
    : true;
};

type OnlyFields<F, S> = {
  readonly [K in keyof S]: K extends keyof F
    ? F[K] extends Field<unknown, boolean, infer To, boolean>
      ? S[K] extends true | { readonly $via: string }
        ? S[K]
        : OnlyFields<FieldsOfName<To>, S[K]>
      : S[K]
    : never;
};
/** Select restricted to names of fields. Without it, the compiler would accept unknown names in a select with at least one known field. */
export type Asked<F, S> = S & NoInfer<OnlyFields<F, S>>;

type Nested<F, S> = S extends Via<infer G, infer T> ? Row<G, T> : Row<F, S>;
/** A row returned by `find`. A nested many2one is null if it is empty or hidden by record rules. */
export type Row<F, S> = Merge<
  { readonly id: Id } & {
    readonly [K in keyof S & keyof F]: S[K] extends true
      ? ValueOfField<F[K]>
      : F[K] extends Field<unknown, boolean, infer To, infer Many>
        ? Many extends true
          ? readonly Nested<FieldsOfName<To>, S[K]>[]
          : Nested<FieldsOfName<To>, S[K]> | null
        : never;
  }
>;

/**
 * `like` finds the text anywhere as written, `ilike` ignores case and accents; `%` and `_` are literal in them, and wildcards in `=like`
 * and `=ilike`. Negative operators also match empty values. Records are compared by id, or by name if the value is a text.
 */
export type Operator =
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'not in'
  | 'like'
  | 'not like'
  | 'ilike'
  | 'not ilike'
  | '=like'
  | '=ilike'
  | 'child_of'
  | 'parent_of'
  /** Full text over the model's `search` fields; the left side is `id`. */
  | 'matches';

type Equality = '=' | '!=';
type Membership = 'in' | 'not in';
/** Types whose values the compiler can check: `number`, `boolean`, `Date`, or a few texts. Never for the rest: texts, relations, JSON. */
type Distinct<F> =
  F extends Field<infer T, boolean, infer To, boolean>
    ? [To] extends [never]
      ? IsAny<T> extends true
        ? never
        : T extends number | boolean | Date
          ? T
          : T extends string
            ? string extends T
              ? never
              : T
            : never
      : never
    : never;
type NamesOf<F, T> = { [K in keyof F & string]: [Distinct<F[K]>] extends [T] ? K : never }[keyof F & string];
type Choices<F> = Exclude<NamesOf<F, string>, NamesOf<F, never>>;
type Compared<K, T> =
  | readonly [K, Equality, T | false | null]
  | readonly [K, Membership, readonly (T | false | null)[]];
type Leaf<F> =
  | readonly [keyof F & string, Exclude<Operator, Equality | Membership>, unknown]
  | readonly [`${keyof F & string}.${string}`, Operator, unknown]
  // Written out, so that compiler errors for a wrong name list the right ones.
  | readonly [
      { [K in keyof F & string]: [Distinct<F[K]>] extends [never] ? K : never }[keyof F & string],
      Equality | Membership,
      unknown,
    ]
  | Compared<Exclude<NamesOf<F, number>, NamesOf<F, never>>, number>
  | Compared<Exclude<NamesOf<F, boolean>, NamesOf<F, never>>, boolean>
  | Compared<Exclude<NamesOf<F, Date>, NamesOf<F, never>>, Date>
  | { [K in Choices<F>]: Compared<K, Distinct<F[K]>> }[Choices<F>];

/**
 * Odoo's prefix list. Leaves are `[path, operator, value]`; `&` (the default), `|` and `!` precede their operands. With `=` and `in`,
 * values for numbers, booleans, datetimes and selections of the model are typed by the field.
 */
export type Domain<F> = readonly (
  | '&'
  | '|'
  | '!'
  | (IsAny<F> extends true ? readonly [string, Operator, unknown] : Leaf<F>)
)[];
/** Domain that hasn't been checked yet. */
export type RawDomain = readonly unknown[];

/** Commands for x2many fields, which change single links; a plain list of ids replaces all links. */
type Commands<V> = readonly (
  | { readonly create: V }
  | { readonly update: Id; readonly values: V }
  | { readonly delete: Id }
  | { readonly link: Id }
  | { readonly unlink: Id }
  | { readonly set: Ids }
)[];

/** Whether a type is `any`: for generic code that works with models by name. */
type IsAny<T> = 0 extends 1 & T ? true : false;

/** Values of a record for `create` and `write`. Translated fields take a text (in the current language) or `{ lang: text }`. */
export type Values<F> = IsAny<F> extends true ? Readonly<Record<string, unknown>> : ValuesOf<F>;
type ValuesOf<F> = {
  readonly [K in keyof F]?: F[K] extends Field<infer T, boolean, infer To, infer Many>
    ? Many extends true
      ? Ids | Commands<Record<string, unknown>>
      : [To] extends [never]
        ? // Texts per language; a selection's values aren't texts.
          string extends T
          ? T | null | Readonly<Record<string, string>>
          : T | null
        : Id | null
    : never;
};

/** Options of `find`: fields to read, order and range. */
export interface FindOptions<S> {
  /** Fields to read; `id` is always included. */
  readonly select: S;
  /**
   * `"date_order desc, id desc"`; by default the model's order, or the best match first for a domain with `matches`. Empty values are the
   * smallest; a many2one sorts by the name of its record.
   */
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
}

export interface CountOptions {
  /** Counting stops at this number. */
  readonly most?: number;
}

/** Options of `group`: fields to group by and aggregates. */
export interface GroupOptions<F> {
  /** Fields to group by, related ones too; dates as `date_order:month` (day, week, month, quarter, year). */
  readonly by: readonly ((keyof F & string) | `${keyof F & string}:${'day' | 'week' | 'month' | 'quarter' | 'year'}`)[];
  /** Aggregates, `amount_total:sum` (sum, avg, min, max, count, count_distinct). */
  readonly aggregates?: readonly `${keyof F & string}:${'sum' | 'avg' | 'min' | 'max' | 'count' | 'count_distinct'}`[];
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
}
/** One group: its field values and aggregates under the requested names, and its number of records. */
export type GroupRow = { readonly count: number } & Readonly<Record<string, unknown>>;

/**
 * The records of one model, bound to a request: its rights, language and transaction.
 *
 * Reading is explicit and batched: one query per relation and level, no matter how many rows. Every method enforces the access lists,
 * record rules and field groups of `ctx.user`; `ctx.sudo()` lifts them.
 */
export interface Model<F> {
  readonly $fields?: F;
  readonly ctx: Ctx;
  /** `sale.order` */
  readonly modelName: string;
  /** The fields with the changes of all enabled extensions. */
  readonly fields: Fields;

  /** Returns matching rows, in order. */
  find<const S extends Select<F>>(
    domain: Domain<F>,
    options: FindOptions<S> & { readonly select: Asked<F, S> },
  ): Promise<Row<F, S>[]>;
  /** Returns the first matching row, or null. */
  first<const S extends Select<F>>(
    domain: Domain<F>,
    options: FindOptions<S> & { readonly select: Asked<F, S> },
  ): Promise<Row<F, S> | null>;
  /**
   * Returns one record.
   *
   * @throws NotFound if it doesn't exist or is hidden from the caller
   */
  get<const S extends Select<F>>(id: Id, options: { readonly select: Asked<F, S> }): Promise<Row<F, S>>;
  /** Returns records by id, in the order of the ids, without deleted or hidden ones. */
  read<const S extends Select<F>>(ids: Ids, options: { readonly select: Asked<F, S> }): Promise<Row<F, S>[]>;
  /** Returns ids of matching records, in order. */
  search(domain: Domain<F>, options?: Omit<FindOptions<never>, 'select'>): Promise<Id[]>;
  /**
   * Returns ids of the matching records in a `one2many` or `many2many` field, grouped by the record they belong to. Unlike `select`, which
   * reads all of them, this reads at most `limit` in total, in the order of the field. Needs lifted rights: the records with these `ids`
   * aren't checked.
   */
  linked(
    ids: Ids,
    field: keyof F & string,
    domain: Domain<never>,
    options: { readonly limit: number },
  ): Promise<Map<Id, Id[]>>;
  /**
   * Counts matching records. With `most`, stops at that number: a page that only shows “more than 1,000” doesn't need to scan a million
   * records.
   */
  count(domain: Domain<F>, options?: CountOptions): Promise<number>;
  /**
   * Counts other records for a rule about all of them (one administrator must remain, 20 tokens at most), under a lock: of two transactions
   * that each keep the rule but break it together, the second waits and counts the outcome of the first. Needs a writing context.
   *
   * ```ts
   * const left = await this.invariant(Group, [administrators], () => users.count(active));
   * ```
   *
   * @param lock model of the records locked by every change that can break the rule: records they have in common, like the group or the
   * owner
   * @param ids ids of these records
   * @param count counts under the lock
   * @returns the result of `count`
   */
  invariant<T>(lock: ModelRef | ModelName, ids: Ids, count: () => Promise<T>): Promise<T>;
  /** Groups matching records, with aggregates: `group([], { by: ['state'], aggregates: ['amount_total:sum'] })`. */
  group(domain: Domain<F>, options: GroupOptions<F>): Promise<GroupRow[]>;

  /**
   * Creates one record and returns its id. Needs a writing context, like all methods below.
   *
   * @throws InvalidInput with a text per invalid field, NotAllowed if the caller lacks the rights
   */
  create(values: Values<F>): Promise<Id>;
  /** Creates several records at once: `const [first, second] = await books.create([…, …])`. */
  create<const V extends readonly unknown[]>(
    values: { readonly [K in keyof V]: Values<F> },
  ): Promise<{
    -readonly [K in keyof V]: Id;
  }>;
  /**
   * Repeats the first overload: the compiler explains the last overload in errors, and `Parameters<Book['create']>` returns its parameters.
   */
  create(values: Values<F>, ...none: never[]): Promise<Id>;
  /**
   * Writes the values to all records; other fields stay unchanged.
   *
   * @throws NotFound if a record doesn't exist or is hidden
   */
  write(ids: Id | Ids, values: Values<F>): Promise<void>;
  /**
   * Deletes records and their dependents (`ondelete: 'cascade'`).
   *
   * @throws Conflict if another record prevents it (`restrict`)
   */
  unlink(ids: Id | Ids): Promise<void>;
  /** Duplicates a record, with `values` overriding the original's. Returns the copy's id. */
  copy(id: Id, values?: Values<F>): Promise<Id>;
  /** Returns the default values of the named fields, as shown by a new form. */
  defaults(names: readonly (keyof F & string)[]): Promise<Values<F>>;

  /** Filters the ids of existing records on which the caller may perform the operation. */
  allowed(ids: Ids, operation: 'read' | 'write' | 'unlink'): Promise<Id[]>;

  /**
   * Called before records are created, with the values of all of them. Returns the values to store, changed or not, in the same order;
   * `readonly` fields may be set. Models and extensions override this and the hooks below, calling `super`.
   */
  beforeCreate(values: readonly Values<F>[]): Promise<readonly Values<F>[]>;
  /** Called after records were created; ids are in the order of the values. */
  afterCreate(ids: Ids, values: readonly Values<F>[]): Promise<void>;
  /** Called before records are changed. Returns the values to store, changed or not. */
  beforeWrite(ids: Ids, values: Values<F>): Promise<Values<F>>;
  /** Called after the values were written. */
  afterWrite(ids: Ids, values: Values<F>): Promise<void>;
  /** Called before records are deleted: the last chance to read them. */
  beforeUnlink(ids: Ids): Promise<void>;
  /** Called after records were deleted. */
  afterUnlink(ids: Ids): Promise<void>;
  /** Called after a write, before it is committed: throws InvalidInput for invalid records. `changed` are the written fields. */
  validate(ids: Ids, changed: ReadonlySet<string>): Promise<void>;
  /** Returns the names shown for records; `nameField` unless overridden. */
  displayNames(ids: Ids): Promise<Map<Id, string>>;
}

/**
 * Repeats the operations of a model with mixins or extensions, with all fields, as their last overloads. The operations of mixins and of
 * the base model are overloads of their own, and the compiler only explains why the last one doesn't match. A parameter that can't be
 * passed keeps the overloads distinct.
 */
export interface Again<F> {
  find<const S extends Select<F>>(
    domain: Domain<F>,
    options: FindOptions<S> & { readonly select: Asked<F, S> },
    ...none: never[]
  ): Promise<Row<F, S>[]>;
  first<const S extends Select<F>>(
    domain: Domain<F>,
    options: FindOptions<S> & { readonly select: Asked<F, S> },
    ...none: never[]
  ): Promise<Row<F, S> | null>;
  get<const S extends Select<F>>(
    id: Id,
    options: { readonly select: Asked<F, S> },
    ...none: never[]
  ): Promise<Row<F, S>>;
  read<const S extends Select<F>>(
    ids: Ids,
    options: { readonly select: Asked<F, S> },
    ...none: never[]
  ): Promise<Row<F, S>[]>;
  search(domain: Domain<F>, options?: Omit<FindOptions<never>, 'select'>, ...none: never[]): Promise<Id[]>;
  count(domain: Domain<F>, options?: CountOptions, ...none: never[]): Promise<number>;
  create(values: Values<F>, none?: never): Promise<Id>;
  write(ids: Id | Ids, values: Values<F>, ...none: never[]): Promise<void>;
}

export type Ctor<I> = new (ctx: Ctx) => I;
/** Reference to a model or an extension of it, as taken by `ctx.model(…)`. */
export interface ModelRef<I = unknown> extends Ctor<I> {
  readonly modelName: string;
  /** Container key for services. */
  readonly key: Key<unknown>;
}
/** A model with any fields, for generic code. */
// biome-ignore lint/suspicious/noExplicitAny: any fields
export type AnyModel = Model<any>;
/** The fields of a model: `Domain<FieldsOf<Book>>`, `Values<FieldsOf<Book>>`. */
export type FieldsOf<I> = I extends { readonly $fields?: infer F } ? NonNullable<F> : never;

declare module '@pergola/core/context' {
  interface Ctx {
    /** Returns the model with all enabled extensions, bound to this context. */
    model<I>(ref: ModelRef<I>): I;
    /** By name, for code that the model itself depends on, such as a service it calls. */
    model<N extends ModelName>(name: N): Models[N];
    /**
     * By any name, for generic code.
     *
     * @throws NotFound if the model doesn't exist
     */
    modelNamed(name: string): AnyModel;
    /** Locks records before a decision based on an aggregate over them (seats, stock, totals). Needs `writes`. */
    lock(model: ModelRef | ModelName, ids: Ids): Promise<void>;
    /**
     * For records that many requests lock (the seats of an event), called before reading: if others hold locks on these records, restarts
     * the work once they are done. Needs `writes`.
     */
    lineUp(model: ModelRef | ModelName, ids: Ids): void;
    /**
     * Returns the id behind an external id, `base.main_company`.
     *
     * @throws NotFound if it doesn't exist
     */
    ref(externalId: string): Promise<Id>;
  }
}
