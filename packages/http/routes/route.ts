import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Ctx, RequestView } from '@pergola/core';
import { declaredHere } from '@pergola/core';
import type { FieldsOf, ModelRef, Row, Select } from '@pergola/orm';
import type { TemplateName, WithValues } from '@pergola/pages';
import type { RequestHandler } from 'express';
import type { z } from 'zod';
import { events } from '../kinds/events.ts';
import { form } from '../kinds/form.ts';
import { http } from '../kinds/http.ts';
import { json } from '../kinds/json.ts';
import type { RouteKind } from '../kinds/kind.ts';
import { mount } from '../kinds/mount.ts';
import { pages } from '../kinds/page.ts';
import { rpc } from '../kinds/rpc.ts';
import type { Reply } from './reply.ts';

/** Who may call a route at all; the models decide what they can see and do. */
type Auth = 'public' | 'user';

/** A path parameter that stands for a record: `slug-id`. */
export interface RecordParam<R> {
  readonly kind: 'record';
  readonly model: ModelRef;
  readonly select: object;
  readonly slug: string;
  readonly $?: R;
}

/**
 * A record in a path, `/forum/:forum` ↔ `/forum/help-1`, read with the caller's rights. An outdated slug returns 301 to the current one;
 * missing and inaccessible records return the same 404, so a page for visitors needs an access list with `'*': 'r'`.
 */
export function record<
  I,
  const S extends Select<FieldsOf<I>> = Readonly<Record<'display_name', true>> & Select<FieldsOf<I>>,
>(
  model: ModelRef<I>,
  options: { select?: S; slug?: keyof FieldsOf<I> & string } = {},
): RecordParam<Row<FieldsOf<I>, S>> {
  return {
    kind: 'record',
    model,
    select: options.select ?? { display_name: true },
    slug: options.slug ?? 'display_name',
  };
}

export type ParamSpec = Readonly<Record<string, z.ZodType | RecordParam<unknown>>>;
type Params<P> = {
  readonly [K in keyof P]: P[K] extends RecordParam<infer R> ? R : P[K] extends z.ZodType<infer T> ? T : never;
};
type Parsed<Q> = Q extends z.ZodType<infer T> ? T : Readonly<Record<string, never>>;

/** A file uploaded with a form. */
export interface Upload {
  readonly name: string;
  readonly mimetype: string;
  readonly content: Uint8Array;
}

/** Limits for a request. Defaults: 1 MB, 1,000 fields, depth 64. */
export interface RouteLimit {
  readonly bytes?: number;
  /** For signed-in users, if they may send more. */
  readonly signedIn?: number;
  readonly fields?: number;
  readonly depth?: number;
}
/** Number of calls per window and visitor address (or user, or any key returned by the function), counted across all nodes. */
export interface RateLimit {
  readonly calls: number;
  readonly seconds: number;
  readonly by?:
    | 'ip'
    | 'user'
    | ((input: { ctx: Ctx; request: RequestView; body: unknown }) => string | Promise<string>);
  readonly name?: string;
  /** Counted per process, in memory: for limits that protect the process and must cost less than the work itself. */
  readonly here?: boolean;
}

/** Options addons add to page routes by declaration merging (website: `sitemap`). */
// biome-ignore lint/suspicious/noEmptyInterface: addons fill it by declaration merging
export interface PageExtras {}

export interface RouteCommon<P extends ParamSpec> {
  /** `addon.name`, for `extendRoute`; derived from the path if omitted. */
  name?: string;
  /** Default `public`. */
  auth?: Auth;
  /** Allows calls with `Authorization: Bearer <access token>` instead of a session, limited to the token's scope. */
  bearer?: boolean;
  /** The user must be in one of these groups; others get the same reply as for a missing page. */
  groups?: readonly string[];
  params?: P;
  limit?: RouteLimit;
  rate?: RateLimit | readonly RateLimit[];
}
interface Multilang {
  /** Whether the path has language prefixes. Default: true for pages and forms, otherwise false. */
  multilang?: boolean;
}
type QuerySchema = z.ZodObject | undefined;

export interface PageOptions<P extends ParamSpec, Q extends QuerySchema> extends RouteCommon<P>, Multilang, PageExtras {
  query?: Q;
  /** `false` for pages that must not be cached. Cached pages vary by declared query values only. */
  cache?: boolean;
}
/** Returns the page of a template, with the values it requires. */
export type RenderPage = <const T extends TemplateName>(
  template: T,
  ...values: WithValues<T, [options?: { status?: number }]>
) => Reply;
/** HTML of a template without a page around it; `lang` selects a language other than the visitor's. */
export type RenderFragment = <const T extends TemplateName>(
  template: T,
  ...values: WithValues<T, [options?: { lang?: string }]>
) => Promise<string>;
export interface BaseInput<P> {
  readonly ctx: Ctx;
  readonly params: Params<P>;
  readonly request: RequestView;
  /** Page made from a template; `status` for error pages. */
  readonly render: RenderPage;
  /** A path of this site in the visitor's language, for redirects: `/shop` → `/fr/shop`. */
  url(path: string): string;
}
/** Input of a page handler. */
export interface PageInput<P, Q> extends BaseInput<P> {
  readonly query: Parsed<Q>;
}
export interface FormOptions<P extends ParamSpec, B extends z.ZodType, W> extends RouteCommon<P>, Multilang {
  body: B;
  writes?: boolean;
  /** Sent in the background by an open page. Changes nothing its visitor sees, so prefetched pages stay valid. */
  beacon?: boolean;
  /** Accepted files by field, with the maximum bytes of each. */
  files?: Readonly<Record<string, number>>;
  /** Slow work before the transaction: hashing, images, network. Its result is passed as `prepared`. */
  prepare?: (input: FormInput<P, z.infer<B>, undefined>) => Promise<W>;
  /**
   * Path of the page that contains the form, without language: `/forum/:forum` with parameters of the form's path, or a function of these
   * and the fields. A rejected form is shown there again, with the submitted values and an error at each field, unless the visitor came
   * from another page that contains it. Forms that visitors fill in need this or `invalid`.
   */
  page?: string | ((form: SentForm) => string);
  /** Shows a form rejected with InvalidInput or Conflict on a page made for it instead of its `page`, keeping the submitted values. */
  invalid?: (input: InvalidForm<P>) => Reply | Promise<Reply>;
  /**
   * Question shown on a page before the form is handled, unless the field `confirmed` is set or a script submits it. For operations that
   * can't be undone.
   */
  confirm?: (ctx: Ctx) => FormQuestion;
  /** `false` requires a reason why cross-site calls are allowed (signed callbacks, one-click unsubscribe). */
  csrf?: true | { readonly off: string };
}
/** A submitted form before validation. */
export interface SentForm {
  /** Path parameters, as text. */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** The last value of each field. */
  readonly values: Readonly<Record<string, string>>;
}
/** A translated question before a form is handled: `Delete this comment?`, `Delete`. */
export interface FormQuestion {
  readonly question: string;
  /** Label of the confirm button. */
  readonly yes: string;
}
export interface FormInput<P, B, W> extends BaseInput<P> {
  readonly body: B;
  /** Renders a template without a page around it, for replies that are markup. */
  readonly renderFragment: RenderFragment;
  readonly files: Readonly<Record<string, readonly Upload[]>>;
  readonly prepared: W;
}
/** Input of `invalid`: the submitted form and its errors. */
export interface InvalidForm<P> extends BaseInput<P> {
  /** Submitted values as text, to fill the form again. */
  readonly values: Readonly<Record<string, string>>;
  /** The same with all values of each field, such as ticked checkboxes. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly errors: Readonly<Record<string, string>>;
  readonly message: string;
}
export interface RpcOptions<P extends ParamSpec, I extends z.ZodType, W> extends RouteCommon<P> {
  input?: I;
  /**
   * Whether it writes, or a function that decides for each call from its input and the result of `prepare` (declare it after `prepare`),
   * without reading data.
   */
  writes?: boolean | ((input: RpcInput<P, z.infer<I>, W>) => boolean);
  prepare?: (input: RpcInput<P, z.infer<I>, undefined>) => Promise<W>;
}
export interface RpcInput<P, I, W> extends BaseInput<P> {
  readonly input: I;
  readonly prepared: W;
  /** Renders a template without a page around it, for replies that are markup. */
  readonly renderFragment: RenderFragment;
}
export interface JsonOptions<P extends ParamSpec, Q extends QuerySchema> extends RouteCommon<P> {
  query?: Q;
}
export interface HttpOptions<P extends ParamSpec, W> extends RouteCommon<P>, Multilang {
  method: 'GET' | 'POST' | readonly ('GET' | 'POST')[];
  query?: z.ZodObject;
  /** How the body is read: parsed form fields (and files), JSON, raw bytes, or not at all. */
  body?: 'form' | 'json' | 'raw' | 'none';
  files?: Readonly<Record<string, number>>;
  /** Whether it writes, or a function that decides for each request. */
  writes?: boolean | ((input: HttpInput<P, W>) => boolean);
  /** Sent in the background by an open page. Changes nothing its visitor sees, so prefetched pages stay valid. */
  beacon?: boolean;
  csrf?: true | { readonly off: string };
  prepare?: (input: HttpInput<P, undefined>) => Promise<W>;
}
/** Input of a raw route's handler. */
export interface HttpInput<P, W> extends BaseInput<P> {
  readonly query: Readonly<Record<string, unknown>>;
  /** Form fields, a parsed JSON value, or raw bytes (a Uint8Array), depending on `body`. */
  readonly body: unknown;
  readonly files: Readonly<Record<string, readonly Upload[]>>;
  readonly prepared: W;
  readonly raw: { readonly req: IncomingMessage; readonly res: ServerResponse };
  readonly renderFragment: RenderFragment;
}

export interface MountOptions extends Omit<RouteCommon<Record<never, never>>, 'params'> {
  /**
   * `req.ctx` writes, in one transaction that is committed if the reply's status is below 400, and rolled back otherwise. Never for GET,
   * HEAD and OPTIONS.
   */
  writes?: boolean;
  /** `off` requires a reason why cross-site calls are allowed (signed callbacks, its own tokens). */
  csrf?: true | { readonly off: string };
}
export interface MountInput {
  readonly ctx: Ctx;
  readonly request: RequestView;
  /** Runs the mounted handler until its reply is complete. */
  serve(): Promise<void>;
}

/** A route as data; the generation builds one matcher from all of them. */
export interface RouteDefinition {
  /** Name of its kind: `page`. */
  readonly kind: string;
  readonly handling: RouteKind;
  readonly name: string;
  readonly path: string;
  readonly methods: readonly string[];
  readonly auth: Auth;
  /** Whether it may write; if each call decides, the function `options.writes` returns whether it does. */
  readonly writes: boolean;
  readonly multilang: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: each kind's input, typed where the route is declared
  readonly handler: (input: any, call: (input: unknown) => Promise<unknown>) => unknown;
  /** Form of an action, whose handler receives the call with the extensions of other addons. */
  readonly form?: RouteDefinition;
}

type Answer = Reply | Promise<Reply>;

function define(
  factory: CallableFunction,
  handling: RouteKind,
  path: string,
  options: Record<string, unknown>,
  handler: RouteDefinition['handler'],
  methods: readonly string[] = handling.methods,
): RouteDefinition {
  const { name: kind, forVisitors = false } = handling;
  const { name = `${kind}:${path}`, auth = 'public', multilang = forVisitors } = options;
  const writes = Boolean(options.writes);
  const common = { name, path, methods, auth, writes, multilang, options, handler } as RouteDefinition;
  return Object.freeze(declaredHere({ ...common, kind, handling }, factory));
}

/**
 * A call made by `route.rpc`. Islands use it by its type, `useCall<typeof latest>()`.
 *
 * @typeParam Path its path, as written
 * @typeParam Input parameters of a call
 * @typeParam Result return value
 */
export interface RpcRoute<Path extends string, Input, Result> extends RouteDefinition {
  readonly $call?: { readonly path: Path; readonly input: Input; readonly result: Result };
}

/**
 * Routes. Addons add kinds with {@link routeKind}. Paths use the syntax of find-my-way: `/forum/:forum`, `/wall/:id(^\\d+$)`, `/page/*`.
 *
 * - `page`: GET, returns HTML (cached by default).
 * - `form`: POST with a CSRF token, returns a redirect, or the page with an error next to each field.
 * - `rpc`: JSON-RPC 2.0 in Odoo's envelope over POST.
 * - `json`: GET, returns bare JSON.
 * - `events`: GET that stays open and sends JSON again whenever it changes.
 * - `http`: anything else.
 * - `mount`: an Express handler, router, or list of them, at a path and below it.
 */
export const route = {
  /**
   * A page: GET that returns HTML made by `render`. Cached until the data it was made from changes, unless `cache: false`; varies by
   * declared query values only.
   */
  page<const P extends ParamSpec = Record<never, never>, Q extends QuerySchema = undefined>(
    path: string,
    options: PageOptions<P, Q>,
    handler: (input: PageInput<P, Q>) => Answer,
  ): RouteDefinition {
    return define(route.page, pages, path, { ...options }, handler);
  },
  /**
   * A form: POST that returns a redirect. Fields are validated by `body`; validation errors and rejections thrown by the handler are shown
   * on the `page` of the form or by `invalid`. With `writes`, all writes of the handler are one transaction, which may be retried.
   */
  form<B extends z.ZodType, const P extends ParamSpec = Record<never, never>, W = undefined>(
    path: string,
    options: FormOptions<P, B, W>,
    handler: (input: FormInput<P, z.infer<B>, W>) => Answer,
  ): RouteDefinition {
    return define(route.form, form, path, { ...options }, handler);
  },
  /**
   * A call: POST with JSON-RPC 2.0, whose `params` are validated by `input`. Returns the handler's result as JSON. Rejections are errors of
   * the envelope.
   */
  rpc<
    const P extends ParamSpec = Record<never, never>,
    I extends z.ZodType = z.ZodType<Record<string, unknown>>,
    W = undefined,
    const Path extends string = string,
    R = unknown,
  >(
    path: Path,
    options: RpcOptions<P, I, W>,
    handler: (input: RpcInput<P, z.infer<I>, W>) => R,
  ): RpcRoute<Path, z.input<I>, Awaited<R>> {
    return define(route.rpc, rpc, path, { ...options }, handler);
  },
  /** GET that returns the handler's result as bare JSON. */
  json<const P extends ParamSpec = Record<never, never>, Q extends QuerySchema = undefined>(
    path: string,
    options: JsonOptions<P, Q>,
    handler: (input: PageInput<P, Q>) => unknown,
  ): RouteDefinition {
    return define(route.json, json, path, { ...options }, handler);
  },
  /**
   * Server-sent events: a GET that sends the handler's result as JSON, and again whenever it changes. The handler runs as an anonymous
   * visitor, once for all listeners, so it must not return restricted data. With `auth: 'user'` it runs as the caller, once per session and
   * for as long as the session lasts: keep it small. It never sees the session, and its result isn't cached.
   */
  events<const P extends ParamSpec = Record<never, never>, Q extends QuerySchema = undefined>(
    path: string,
    options: JsonOptions<P, Q>,
    handler: (input: PageInput<P, Q>) => unknown,
  ): RouteDefinition {
    return define(route.events, events, path, { ...options }, handler);
  },
  /** Anything else: returns a reply made by `reply`. `body` sets how the body is read, `csrf` why cross-site calls are allowed. */
  http<const P extends ParamSpec = Record<never, never>, W = undefined>(
    path: string,
    options: HttpOptions<P, W>,
    handler: (input: HttpInput<P, W>) => Answer,
  ): RouteDefinition {
    const methods = typeof options.method === 'string' ? [options.method] : options.method;
    return define(route.http, http, path, { ...options }, handler, methods);
  },
  /** An Express handler at a path and below it, with `req.ctx`. */
  mount(
    path: string,
    handlers: RequestHandler | readonly RequestHandler[],
    options: MountOptions = {},
  ): RouteDefinition {
    const mounted = { ...options, handlers: [handlers].flat() };
    return define(route.mount, mount, path, mounted, ({ serve }: MountInput) => serve());
  },
};

/**
 * Declares a kind of routes of an addon. Returns the function that declares such a route, like `route.page`; routes carry their kind, so it
 * isn't registered anywhere else.
 *
 * ```ts
 * export const csv = routeKind('library.csv', {
 *   methods: ['GET'],
 *   reply: (rows) => reply.body(toCsv(rows), 'text/csv; charset=utf-8'),
 * });
 * export const list = csv('/library/books.csv', { auth: 'user' }, ({ ctx }) => ctx.model(Book).find([], { select: { name: true } }));
 * ```
 *
 * @typeParam Input handler input that the kind's `read` adds
 */
export function routeKind<Input extends object = object>(
  name: string,
  definition: Omit<RouteKind, 'name'>,
): <const P extends ParamSpec = Record<never, never>, Q extends QuerySchema = undefined>(
  path: string,
  options: JsonOptions<P, Q> & Multilang & { readonly writes?: boolean },
  handler: (input: PageInput<P, Q> & Input) => unknown,
) => RouteDefinition {
  const kind: RouteKind = Object.freeze({ ...definition, name });
  return function declare(path, options, handler) {
    return define(declare, kind, path, { ...options }, handler);
  };
}

/** An extension of another addon's route, by its name; `next` runs the route below with the same (or changed) input. */
export interface RouteExtension {
  readonly route: string;
  // biome-ignore lint/suspicious/noExplicitAny: the input of a route of any kind
  readonly around: (input: any, next: (input?: any) => Promise<unknown>) => unknown;
}

/**
 * Wraps a named route of another addon.
 *
 * ```ts
 * extendRoute(shopIndex, async (input, next) => addValues(await next(), { banner: await banner(input.ctx) }))
 * ```
 */
export function extendRoute(target: RouteDefinition, wrapper: RouteExtension['around']): RouteExtension {
  return Object.freeze(declaredHere({ route: target.name, around: wrapper }, extendRoute));
}

/** Adds values to a page's template; replies other than pages are unchanged. */
export function addValues(answer: unknown, values: object): unknown {
  const page = answer as Reply;
  return page?.kind === 'page' ? { ...page, values: { ...page.values, ...values } } : answer;
}

/**
 * Last resort for paths without a route (pages at custom addresses, redirects, files by address); called in addon order until one returns a
 * reply.
 */
export interface FallbackDefinition {
  readonly name: string;
  readonly handler: (input: PageInput<Record<never, never>, undefined>) => Promise<Reply | null>;
}
