import type { Ctx, Key } from '@pergola/core';
import type { Field, Fields, Id, Ids } from './fields.ts';

/** Every model by name: the addon that defines one adds its line (`declare module 'pergola' { interface Models { … } }`). */
// biome-ignore lint/suspicious/noEmptyInterface: addons fill it by declaration merging
export interface Models {}
/** Names of models that the compiler knows. */
export type ModelName = keyof Models & string;

/** An intersection written as one object, so that editors show its members. */
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

/** The fields of an extension over those below: selections grow, everything else of the same name is replaced. */
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

/** Which fields to read; relations are read as ids (`true`) or deeper. */
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
/** A select that names fields only: of one with a name that is a field, the compiler would let others pass that are none. */
export type Asked<F, S> = S & NoInfer<OnlyFields<F, S>>;

type Nested<F, S> = S extends Via<infer G, infer T> ? Row<G, T> : Row<F, S>;
/** A row as `find` gives it. A deeper many2one is null when it is empty or hidden by the rules. */
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
 * `like` finds the text anywhere as it is written, `ilike` without regard to case and accents; `%` and `_` are letters there, and wildcards in
 * `=like` and `=ilike`. Negative operators hold for empty values too. Records are compared by id, or by name when the value is a text.
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
/** Whose values the compiler can tell from a mistake: `number`, `boolean`, `Date`, or a few texts. Else never: texts, relations, JSON. */
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
  // Written out, so that a wrong name is told the right ones.
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
 * Odoo's prefix list. Leaves are `[path, operator, value]`; `&` (the default), `|` and `!` stand before what they join. What `=` and `in` compare a number,
 * a boolean, a moment or a selection of the model with is typed by the field.
 */
export type Domain<F> = readonly (
  | '&'
  | '|'
  | '!'
  | (IsAny<F> extends true ? readonly [string, Operator, unknown] : Leaf<F>)
)[];
/** A domain nobody has checked yet. */
export type RawDomain = readonly unknown[];

/** What x2many fields take when written: plain ids replace all; commands change some. */
type Commands<V> = readonly (
  | { readonly create: V }
  | { readonly update: Id; readonly values: V }
  | { readonly delete: Id }
  | { readonly link: Id }
  | { readonly unlink: Id }
  | { readonly set: Ids }
)[];

/** Whether a type is `any`: generic code that works on models by name. */
type IsAny<T> = 0 extends 1 & T ? true : false;

/** Values of a record as `create` and `write` take them. Translated fields take a text (current language) or `{ lang: text }`. */
export type Values<F> = IsAny<F> extends true ? Readonly<Record<string, unknown>> : ValuesOf<F>;
type ValuesOf<F> = {
  readonly [K in keyof F]?: F[K] extends Field<infer T, boolean, infer To, infer Many>
    ? Many extends true
      ? Ids | Commands<Record<string, unknown>>
      : [To] extends [never]
        ? T extends string
          ? T | null | Readonly<Record<string, string>>
          : T | null
        : Id | null
    : never;
};

/** What `find` reads, in which order and how much of it. */
export interface FindOptions<S> {
  /** Fields to read; `id` comes always. */
  readonly select: S;
  /**
   * `"date_order desc, id desc"`; the model's own when left out, the best match first for a domain with `matches`. Empty values are the
   * smallest; a many2one sorts by the name of what it leads to.
   */
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
}

export interface CountOptions {
  /** Counting ends there. */
  readonly most?: number;
}

/** What `group` groups by and works out. */
export interface GroupOptions<F> {
  /** Fields to group by, related ones too; dates as `date_order:month` (day, week, month, quarter, year). */
  readonly by: readonly ((keyof F & string) | `${keyof F & string}:${'day' | 'week' | 'month' | 'quarter' | 'year'}`)[];
  /** Aggregates, `amount_total:sum` (sum, avg, min, max, count, count_distinct). */
  readonly aggregates?: readonly `${keyof F & string}:${'sum' | 'avg' | 'min' | 'max' | 'count' | 'count_distinct'}`[];
  readonly order?: string;
  readonly limit?: number;
  readonly offset?: number;
}
/** One group: the grouped values and aggregates under the names asked for, and how many records it holds. */
export type GroupRow = { readonly count: number } & Readonly<Record<string, unknown>>;

/**
 * The records of one model, bound to a request: its rights, language and transaction.
 *
 * Reading is explicit and batched: one query per relation and level whatever the number of rows. Every method enforces access lists,
 * record rules and field groups of `ctx.user`; `ctx.sudo()` lifts them.
 */
export interface Model<F> {
  readonly $fields?: F;
  readonly ctx: Ctx;
  /** `sale.order` */
  readonly modelName: string;
  /** The fields with every enabled extension applied. */
  readonly fields: Fields;

  /** Rows that match, in order. */
  find<const S extends Select<F>>(
    domain: Domain<F>,
    options: FindOptions<S> & { readonly select: Asked<F, S> },
  ): Promise<Row<F, S>[]>;
  /** The first row that matches, or null. */
  first<const S extends Select<F>>(
    domain: Domain<F>,
    options: FindOptions<S> & { readonly select: Asked<F, S> },
  ): Promise<Row<F, S> | null>;
  /** One record; NotFound when there is none or the caller may not see it. */
  get<const S extends Select<F>>(id: Id, options: { readonly select: Asked<F, S> }): Promise<Row<F, S>>;
  /** Records by id, in the order of the ids; those that are gone or hidden are left out. */
  read<const S extends Select<F>>(ids: Ids, options: { readonly select: Asked<F, S> }): Promise<Row<F, S>[]>;
  /** Ids that match, in order. */
  search(domain: Domain<F>, options?: Omit<FindOptions<never>, 'select'>): Promise<Id[]>;
  /**
   * Ids of the records behind a `one2many` or `many2many` field that match, by the record they belong to. Unlike `select`, which reads all of them, this reads
   * at most `limit` altogether, in the order of the field. Needs rights lifted: the records with these `ids` aren't checked.
   */
  linked(
    ids: Ids,
    field: keyof F & string,
    domain: Domain<never>,
    options: { readonly limit: number },
  ): Promise<Map<Id, Id[]>>;
  /** How many match. With `most`, at most so many are counted: a page that only says “more than 1,000” does not go through a million of them. */
  count(domain: Domain<F>, options?: CountOptions): Promise<number>;
  /**
   * Counts other records for a rule over all of them (one administrator must remain, 20 tokens at most), under a lock: of two transactions that would each
   * keep the rule but break it together, the second waits and counts what the first has left. Needs a context that writes.
   *
   * ```ts
   * const left = await this.invariant(Group, [administrators], () => users.count(active));
   * ```
   *
   * @param lock the model of the records that every change which can break the rule locks: one that they have in common, like the group or the owner
   * @param ids these records
   * @param count asks for what decides; runs under the lock
   * @returns what `count` returns
   */
  invariant<T>(lock: ModelRef | ModelName, ids: Ids, count: () => Promise<T>): Promise<T>;
  /** Records that match, grouped, with aggregates: `group([], { by: ['state'], aggregates: ['amount_total:sum'] })`. */
  group(domain: Domain<F>, options: GroupOptions<F>): Promise<GroupRow[]>;

  /** Makes one record, and answers its id; InvalidInput names the fields that do not fit, NotAllowed whoever may not. Needs a context that writes, as all that follow. */
  create(values: Values<F>): Promise<Id>;
  /** Makes several at once: `const [first, second] = await books.create([…, …])`. */
  create<const V extends readonly unknown[]>(
    values: { readonly [K in keyof V]: Values<F> },
  ): Promise<{
    -readonly [K in keyof V]: Id;
  }>;
  /** The first once more: the last is the one that is explained, and that `Parameters<Book['create']>` answers. */
  create(values: Values<F>, ...none: never[]): Promise<Id>;
  /** Gives all of them these values; fields that are not named stay. NotFound where one is gone or hidden. */
  write(ids: Id | Ids, values: Values<F>): Promise<void>;
  /** Deletes them, with what hangs on them (`ondelete: 'cascade'`); Conflict where something holds them (`restrict`). */
  unlink(ids: Id | Ids): Promise<void>;
  /** A duplicate of one record, with `values` over it. */
  copy(id: Id, values?: Values<F>): Promise<Id>;
  /** The default values of the named fields, as a new form shows them. */
  defaults(names: readonly (keyof F & string)[]): Promise<Values<F>>;

  /** Those of the ids that exist and the caller may act on like this. */
  allowed(ids: Ids, operation: 'read' | 'write' | 'unlink'): Promise<Id[]>;

  /** Before records are made; may change the values it answers. This and the steps below are overridden by models and extensions, calling `super`. */
  beforeCreate(values: readonly Values<F>[]): Promise<readonly Values<F>[]>;
  /** The records are there, in the order of the values. */
  afterCreate(ids: Ids, values: readonly Values<F>[]): Promise<void>;
  /** Before they are changed; may change the values it answers. */
  beforeWrite(ids: Ids, values: Values<F>): Promise<Values<F>>;
  /** They have these values now. */
  afterWrite(ids: Ids, values: Values<F>): Promise<void>;
  /** Before they are deleted: the last moment to read them. */
  beforeUnlink(ids: Ids): Promise<void>;
  /** They are gone. */
  afterUnlink(ids: Ids): Promise<void>;
  /** After a write, before it is kept: throws InvalidInput for records that must not be. `changed` are the fields that were written. */
  validate(ids: Ids, changed: ReadonlySet<string>): Promise<void>;
  /** Names shown for records; the `nameField` unless overridden. */
  displayNames(ids: Ids): Promise<Map<Id, string>>;
}

/**
 * The operations of a model with mixins, or under an extension, once more: those of a mixin and of the model below are overloads of its own, and of several
 * the compiler explains why the last does not fit. Behind them stand these, with all fields. A parameter that nobody can give tells them apart.
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
/** A reference to a model, or to an extension of it: what `ctx.model(…)` takes. */
export interface ModelRef<I = unknown> extends Ctor<I> {
  readonly modelName: string;
  /** Under what services get it. */
  readonly key: Key<unknown>;
}
/** A model of any fields, for generic code. */
// biome-ignore lint/suspicious/noExplicitAny: any fields
export type AnyModel = Model<any>;
/** The fields of a model: `Domain<FieldsOf<Book>>`, `Values<FieldsOf<Book>>`. */
export type FieldsOf<I> = I extends { readonly $fields?: infer F } ? NonNullable<F> : never;

declare module '@pergola/core/context' {
  interface Ctx {
    /**
     * The model with every enabled extension applied, bound to this context.
     */
    model<I>(ref: ModelRef<I>): I;
    /** By its name where the model itself stands on what asks for it, as a service that the model calls. */
    model<N extends ModelName>(name: N): Models[N];
    /** The same for any name, for generic code; NotFound for a model that is not there. */
    modelNamed(name: string): AnyModel;
    /** Locks records before deciding on an aggregate over them (seats, stock, totals). Needs `writes`. */
    lock(model: ModelRef | ModelName, ids: Ids): Promise<void>;
    /**
     * For what a crowd locks (the seats of an event), before anything is read: lines up behind those who hold locks on these records, if there are any. What
     * was done until then is done again. Needs `writes`.
     */
    lineUp(model: ModelRef | ModelName, ids: Ids): void;
    /** The id behind an external id, `base.main_company`; NotFound when there is none. */
    ref(externalId: string): Promise<Id>;
  }
}
