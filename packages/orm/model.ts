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
  /** What people call one record: "Sales order". Made from the name when left out. Translatable. */
  label?: string;
  /** The field that names a record. Default `name`, else the id. */
  nameField?: string;
  /** Fields in which a record is looked for by name, relations by the names behind them; for records whose name is made of others'. Default the `nameField`. */
  nameSearch?: readonly string[];
  /** Fields that full-text search covers. */
  search?: readonly string[];
  /** Whether it may be published on the website (`/website/publish`). Set by the mixin that brings `website_published`. */
  publishable?: boolean;
  /** Counters that change with every request: a page that reads them is never kept. */
  volatile?: boolean;
  /** The pair of columns that say which record of any model a row belongs to: those rows go with the record, and with its addon. */
  attachedTo?: { readonly model: string; readonly id: string };
  /** Several columns that are unique together; `where` limits it to rows where this field is true or not empty. */
  unique?: readonly { readonly fields: readonly string[]; readonly where?: string; readonly message?: string }[];
  /** More indexes, by fields; one with a translated field is one for each language. An order that ends with them is read off it: put `id` at their end. */
  indexes?: readonly (readonly string[])[];
  /** The table, when it is not the name with `_` for `.`. */
  table?: string;
  /** The table belongs to the core: never made, changed or dropped for this model. */
  coreTable?: boolean;
  /** Names that clients of Odoo write and that are no fields here, each with what is said to them: the way that works. Translatable. */
  elsewhere?: Readonly<Record<string, { readonly help: string }>>;
  /** Rows are only ever added: no write or unlink from outside. */
  appendOnly?: boolean;
}

type FieldsOfMixins<M> = M extends readonly [ModelRef<infer I>, ...infer Rest]
  ? Overlay<FieldsOf<I>, FieldsOfMixins<Rest>>
  : unknown;
type Behaviour<M> = M extends readonly [ModelRef<infer I>, ...infer Rest] ? I & Behaviour<Rest> : unknown;

/** The class a model extends: constructs instances whose record operations are typed by the fields. */
export type ModelClass<N extends string, F, Mixed> = {
  new (
    ctx: Ctx,
  ): Model<Merge<BaseFields & F>> &
    // Of a model without mixins each operation is there once.
    (unknown extends Mixed ? unknown : Mixed & Again<Merge<BaseFields & F>>);
  readonly modelName: N;
  readonly key: Key<unknown>;
};

/** What the registry reads of a reference; private to `packages/orm`. */
export interface Declaration {
  readonly name: string;
  readonly kind: 'model' | 'mixin' | 'extension';
  readonly fields: Fields;
  readonly options: ModelOptions;
  readonly mixins: readonly ModelRef[];
  /** Extensions: the reference below. */
  readonly base?: ModelRef;
  /** Extensions and mixins: puts their methods over a class. */
  // biome-ignore lint/suspicious/noExplicitAny: classes of any model
  readonly extension?: (Base: Ctor<any>) => Ctor<any>;
}

/** Where a reference keeps its declaration. */
export const DECLARATION: unique symbol = Symbol('pergola.declaration');

/** The declaration behind a reference; the class itself or one it extends. */
export function declarationOf(ref: ModelRef): Declaration {
  return (ref as unknown as { readonly [DECLARATION]: Declaration })[DECLARATION];
}

/**
 * The class to extend for a new model; its methods are the model's, `this.find`, `this.write` and `this.ctx` are there.
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
 * Fields and methods that several models share; listed in their `mixins`.
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

/** An instance type with its record operations widened by an extension's fields. */
export type Widen<I, G> = Model<Overlay<FieldsOf<I>, G>> & I & Again<Overlay<FieldsOf<I>, G>>;

/** An extension's own fields with those of the mixins it lists. */
type WithMixins<G, M> = M extends readonly [] ? G : Merge<FieldsOfMixins<M> & G>;

/**
 * An extension over another addon's model: more fields, and methods that call `super`. `ctx.model(QuoteOrder)` is the same object as
 * `ctx.model(SaleOrder)`, typed with this extension's fields.
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

/** Under what the container holds a model, bound to the request. */
export function modelKey(name: string): Key<AnyModel> {
  return requestValue(`model ${name}`);
}

/** The class that carries a declaration. A model's works on its own: record operations and the methods of its mixins are under it. */
function placeholder(declaration: Declaration, by: CallableFunction): unknown {
  const Placeholder = class extends (declaration.kind === 'model' ? withMixins(declaration.mixins) : Reference) {};
  Object.defineProperty(Placeholder, 'modelName', { value: declaration.name });
  Object.defineProperty(Placeholder, 'key', { value: modelKey(declaration.name) });
  Object.defineProperty(Placeholder, DECLARATION, { value: Object.freeze(declaredHere(declaration, by)) });
  return Placeholder;
}

/** Extensions and mixins are only ever named, never made. */
class Reference {
  // biome-ignore lint/complexity/noUselessConstructor: takes what a model's class takes
  constructor(_ctx: unknown) {}
}

// biome-ignore lint/suspicious/noExplicitAny: classes of any model
function withMixins(mixins: readonly ModelRef[]): Ctor<any> {
  // biome-ignore lint/suspicious/noExplicitAny: classes of any model
  return mixins.reduce<Ctor<any>>((Base, ref) => declarationOf(ref).extension?.(Base) ?? Base, RecordModel);
}

/**
 * A relation read with the fields an extension adds to its target: `line_ids: via(EventLine, { ticket_id: true })`; in domains, paths through it
 * are written as usual.
 */
export function via<I, const S extends Select<FieldsOf<I>>>(extension: ModelRef<I>, select: S): Via<FieldsOf<I>, S> {
  return { $via: extension.modelName, select };
}
