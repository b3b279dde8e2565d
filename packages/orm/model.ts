import type { Ctx } from '@pergola/core';
import { declaredHere, type Key, requestValue, WrongCode } from '@pergola/core';
import type { Fields } from './fields.ts';
import { RecordModel } from './record-model.ts';
import type {
  Again,
  AnyModel,
  BaseFields,
  Ctor,
  FieldsOf,
  Merge,
  Model,
  ModelRef,
  Overlay,
  Select,
  Via,
} from './types.ts';

export interface ModelOptions {
  /** `"date_order desc, id desc"`. Default `id`. */
  order?: string;
  /** Singular name shown to users: "Sales order". Derived from the model's name if omitted. Translatable. */
  label?: string;
  /** Field that names a record. Default `name`, else the id. */
  nameField?: string;
  /**
   * Fields searched when a record is looked up by name, relations by the names of their records; for records named after others. Default
   * `nameField`.
   */
  nameSearch?: readonly string[];
  /** Fields covered by full-text search. */
  search?: readonly string[];
  /** Whether records may be published on the website (`/website/publish`). Set by the mixin that adds `website_published`. */
  publishable?: boolean;
  /** Counters that change with every request: pages that read them are never cached. */
  volatile?: boolean;
  /**
   * The pair of columns that identify the record of any model that a row belongs to: the row is deleted with the record, or with its addon.
   */
  attachedTo?: { readonly model: string; readonly id: string };
  /** Sets of columns that are unique together; `where` limits one to rows in which this field is true or not empty. */
  unique?: readonly { readonly fields: readonly string[]; readonly where?: string; readonly message?: string }[];
  /**
   * Additional indexes, by fields; an index with a translated field is created once per language. An order by its last fields is read from
   * the index, so end with `id`.
   */
  indexes?: readonly (readonly string[])[];
  /** The table, if it isn't the model's name with `_` for `.`. */
  table?: string;
  /** The table belongs to the core: this model never creates, changes or drops it. */
  coreTable?: boolean;
  /** Odoo field names that don't exist here, each with a hint for clients that write them: what to do instead. Translatable. */
  elsewhere?: Readonly<Record<string, { readonly help: string }>>;
  /** Rows are only ever added: external calls can't write or delete them. */
  appendOnly?: boolean;
  /** `false`: changes aren't recorded and can't be undone, as of counters whose numbers must not repeat. */
  undo?: false;
  /** Rows stand for something outside the database, so undoing leaves them as they are and shows this text: "Payments aren't refunded." Translatable. */
  irreversible?: string;
}

type FieldsOfMixins<M> = M extends readonly [ModelRef<infer I>, ...infer Rest]
  ? Overlay<FieldsOf<I>, FieldsOfMixins<Rest>>
  : unknown;
type Behaviour<M> = M extends readonly [ModelRef<infer I>, ...infer Rest] ? I & Behaviour<Rest> : unknown;

/** The class a model extends: its instances have record operations typed by the fields. */
export type ModelClass<N extends string, F, Mixed> = {
  new (
    ctx: Ctx,
  ): Model<Merge<BaseFields & F>> &
    // Without mixins each operation is declared once.
    (unknown extends Mixed ? unknown : Mixed & Again<Merge<BaseFields & F>>);
  readonly modelName: N;
  readonly key: Key<unknown>;
};

/** Parts of a reference that the registry reads; private to `packages/orm`. */
export interface Declaration {
  readonly name: string;
  readonly kind: 'model' | 'mixin' | 'extension';
  readonly fields: Fields;
  readonly options: ModelOptions;
  readonly mixins: readonly ModelRef[];
  /** Extensions: the reference they extend. */
  readonly base?: ModelRef;
  /** Extensions and mixins: adds their methods to a class. */
  // biome-ignore lint/suspicious/noExplicitAny: classes of any model
  readonly extension?: (Base: Ctor<any>) => Ctor<any>;
}

/** Property under which a reference keeps its declaration. */
export const DECLARATION: unique symbol = Symbol('pergola.declaration');

/** Returns the declaration of a reference: the class itself or the class it extends. */
export function declarationOf(ref: ModelRef): Declaration {
  return (ref as unknown as { readonly [DECLARATION]: Declaration })[DECLARATION];
}

/**
 * Returns the class that a new model extends. Its methods belong to the model; `this.find`, `this.write` and `this.ctx` are available in
 * them.
 *
 * ```ts
 * export class Forum extends model('forum.forum', { name: f.char({ required: true, translate: true }) }, { mixins: [Seo] }) {}
 * declare module 'pergola' { interface Models { 'forum.forum': Forum } }
 * ```
 */
export function model<const N extends string, const F extends Fields, const M extends readonly ModelRef[] = []>(
  name: N,
  fields: F,
  options: ModelOptions & { mixins?: M } = {},
): ModelClass<N, Merge<(M extends [] ? unknown : FieldsOfMixins<M>) & F>, Behaviour<M>> {
  const { mixins = [], ...rest } = options;
  return placeholder({ name, kind: 'model', fields, options: rest, mixins }, model) as never;
}

/**
 * Fields and methods shared by several models, which list it in their `mixins`.
 *
 * ```ts
 * export const Seo = mixin('website.seo', { website_meta_title: f.char({ size: 70, translate: true }) });
 * ```
 */
export function mixin<const N extends string, const F extends Fields, L = Model<Merge<BaseFields & F>>>(
  name: N,
  fields: F,
  extension?: (Base: Ctor<Model<Merge<BaseFields & F>>>) => Ctor<L>,
  options: ModelOptions = {},
): ModelRef<L> {
  return placeholder(
    {
      name,
      kind: 'mixin',
      fields,
      options,
      mixins: [],
      extension: extension as Declaration['extension'],
    },
    mixin,
  ) as never;
}

/** Instance type with its record operations widened by an extension's fields. */
export type Widen<I, G> = Model<Overlay<FieldsOf<I>, G>> & I & Again<Overlay<FieldsOf<I>, G>>;

/** Fields of an extension and of its mixins. */
type WithMixins<G, M> = M extends readonly [] ? G : Merge<FieldsOfMixins<M> & G>;

/**
 * Extends another addon's model with fields, and methods that may call `super`. `ctx.model(QuoteOrder)` is the same object as
 * `ctx.model(SaleOrder)`, typed with this extension's fields. Pass the extension wherever these fields are named, such as in views:
 * `view.form(QuoteOrder, …)`.
 *
 * ```ts
 * export const QuoteOrder = extend(SaleOrder, { signer: f.char() }, (Order) => class extends Order {
 *   override async confirm(ids: Ids): Promise<void> { await super.confirm(ids); … }
 * });
 * ```
 */
export function extend<
  I,
  const G extends Fields,
  const M extends readonly ModelRef[] = [],
  L = Widen<I, WithMixins<G, M>>,
>(
  base: ModelRef<I>,
  fields: G,
  extension?: (Base: Ctor<Widen<I, WithMixins<G, M>> & Behaviour<M>>) => Ctor<L>,
  options: Pick<ModelOptions, 'search' | 'unique' | 'indexes' | 'publishable'> & { mixins?: M } = {},
): ModelRef<L> {
  if (typeof base !== 'function' || !(DECLARATION in base))
    throw new WrongCode('extend(…) takes a model: the class, or what another extend(…) returned.');
  const { mixins = [], ...rest } = options;
  return placeholder(
    {
      name: base.modelName,
      kind: 'extension',
      fields,
      options: rest,
      mixins,
      base,
      extension: extension as Declaration['extension'],
    },
    extend,
  ) as never;
}

/** Container key of a model bound to the request. */
export function modelKey(name: string): Key<AnyModel> {
  return requestValue(`model ${name}`);
}

/**
 * Creates the class that carries a declaration. A model's class works without a registry: it has the record operations and the methods of
 * its mixins.
 */
function placeholder(declaration: Declaration, factory: CallableFunction): unknown {
  const Placeholder = class extends (declaration.kind === 'model' ? withMixins(declaration.mixins) : Reference) {};
  Object.defineProperty(Placeholder, 'modelName', { value: declaration.name });
  Object.defineProperty(Placeholder, 'key', { value: modelKey(declaration.name) });
  Object.defineProperty(Placeholder, DECLARATION, { value: Object.freeze(declaredHere(declaration, factory)) });
  return Placeholder;
}

/** Extensions and mixins are only referenced, never instantiated. */
class Reference {
  // biome-ignore lint/complexity/noUselessConstructor: same parameters as a model's class
  constructor(_ctx: unknown) {}
}

// biome-ignore lint/suspicious/noExplicitAny: classes of any model
function withMixins(mixins: readonly ModelRef[]): Ctor<any> {
  // biome-ignore lint/suspicious/noExplicitAny: classes of any model
  return mixins.reduce<Ctor<any>>((Base, ref) => declarationOf(ref).extension?.(Base) ?? Base, RecordModel);
}

/**
 * Reads a relation with the fields that an extension adds to its target: `line_ids: via(EventLine, { ticket_id: true })`. Domains need no
 * `via`.
 */
export function via<I, const S extends Select<FieldsOf<I>>>(extension: ModelRef<I>, select: S): Via<FieldsOf<I>, S> {
  return { $via: extension.modelName, select };
}
