import { declaredHere } from '@pergola/core';
import { z } from 'zod';
import { type Reply, redirect } from './reply.ts';
import {
  type BaseInput,
  type FormOptions,
  type InvalidForm,
  type ParamSpec,
  type RenderFragment,
  type RouteCommon,
  type RouteDefinition,
  route,
  type Upload,
} from './route.ts';

/**
 * Operation available as a call and as a form: see {@link action}. Islands use it by its type, `useAction<typeof upvote>(path)`.
 *
 * @typeParam Path its path, as written
 * @typeParam Input parameters of a call
 * @typeParam Result return value
 */
export interface Action<Path extends string, Input, Result> extends RouteDefinition {
  readonly form: RouteDefinition;
  readonly $action?: { readonly path: Path; readonly input: Input; readonly result: Result };
}

export interface ActionInput<P, I, W> extends BaseInput<P> {
  readonly input: I;
  readonly prepared: W;
  /** Files of the form, by field; empty for a call. */
  readonly files: Readonly<Record<string, readonly Upload[]>>;
  /** Renders a template without a page around it, for replies that are markup. */
  readonly renderFragment: RenderFragment;
}

export interface ActionOptions<P extends ParamSpec, I extends z.ZodType, W> extends RouteCommon<P> {
  /** Schema of the call's parameters and the form's fields. No input if omitted. */
  input?: I;
  /** Default true. */
  writes?: boolean;
  /** Slow work before the transaction: hashing, images, network. Its result is passed as `prepared`. */
  prepare?: (input: ActionInput<P, z.infer<I>, undefined>) => Promise<W>;
  /** Options that differ for the form. */
  form?: {
    /** Default: the action's path followed by `/form`. */
    path?: string;
    auth?: RouteCommon<P>['auth'];
    files?: FormOptions<P, I, W>['files'];
    confirm?: FormOptions<P, I, W>['confirm'];
    /** Path of the page that contains the form, shown again with errors at their fields: see {@link FormOptions.page}. */
    page?: FormOptions<P, I, W>['page'];
    /** Shows a rejected form by other means than its `page`. */
    invalid?: (input: InvalidForm<P>) => ReturnType<NonNullable<FormOptions<P, I, W>['invalid']>>;
  };
}

/**
 * Visitor action, declared once: a JSON-RPC call at `path`, and a form at `path/form` for pages without JavaScript, with its CSRF token,
 * followed by the page that `next` returns. Both validate with `input` and run the same handler, including extensions by other addons
 * (`extendRoute`).
 *
 * ```ts
 * export const upvote = action(
 *   '/forum/:forum/post/:post/upvote',
 *   { params, form: { auth: 'user' } },
 *   ({ ctx, params }) => ctx.model(ForumPost).vote([params.post], true),
 *   ({ params, url }) => url(postPath(params)),
 * );
 * ```
 *
 * @param handler its result is what a call returns, as JSON
 * @param next runs after a submitted form only, never for calls: a path of this site in their language (`url(…)`) to go to, or the current
 * page (`render(…)`). It may reject a result that a call returns as a value.
 */
export function action<
  const Path extends string,
  R,
  const P extends ParamSpec = Record<never, never>,
  I extends z.ZodType = z.ZodObject<Record<never, never>>,
  W = undefined,
>(
  path: Path,
  { form = {}, name, input, writes = true, prepare, ...common }: ActionOptions<P, I, W>,
  handler: (input: ActionInput<P, z.infer<I>, W>) => R | Promise<R>,
  next: (input: ActionInput<P, z.infer<I>, W> & { readonly result: R }) => string | Reply | Promise<string | Reply>,
): Action<Path, z.input<I>, R> {
  const call = route.rpc(
    path,
    { ...common, name, input, writes, prepare: prepare && ((callInput) => prepare({ ...callInput, files: {} })) },
    (callInput) => handler({ files: {}, ...callInput }),
  );
  const { path: formPath = `${path}/form`, ...formOptions } = form;
  const posted = route.form<I, P, W | undefined>(
    formPath,
    {
      ...common,
      ...formOptions,
      name: name && `${name}_form`,
      writes,
      body: (input ?? z.object({})) as I,
      prepare: prepare && (({ body, ...formInput }) => prepare({ ...formInput, input: body })),
    },
    () => redirect('/'),
  );
  type Posted = Omit<ActionInput<P, z.infer<I>, W>, 'input'> & { readonly body: z.infer<I> };
  const postedHandler = async ({ body, ...formInput }: Posted, run: (input: unknown) => Promise<unknown>) => {
    const actionInput = { ...formInput, input: body };
    const result = (await run(actionInput)) as R;
    const to = await next({ ...actionInput, result });
    return { ...(typeof to === 'string' ? redirect(to) : to), result };
  };
  const definition = { ...call, form: Object.freeze({ ...posted, handler: postedHandler }) };
  return Object.freeze(declaredHere(definition, action));
}
