import {
  type ComponentProps,
  createElement,
  type ReactNode,
  type SubmitEvent as ReactSubmitEvent,
  startTransition,
  useActionState,
  useEffect,
  useRef,
} from 'react';
import { notify } from '../dialogs.ts';
import { csrfField, url } from '../page.ts';
import { type FormAnswer, RpcError, rpc, sendForm } from '../rpc.ts';

/** What is known of an action by its type: `useAction<typeof upvote>`. Made by `action(…)` of `pergola`. */
interface Declared {
  readonly $action?: { readonly path: string; readonly input: unknown; readonly result: unknown };
}
type About<A extends Declared> = NonNullable<A['$action']>;
type PathOf<Path extends string> = Path extends `${infer Start}:${string}/${infer Rest}`
  ? `${Start}${string}/${PathOf<Rest>}`
  : Path extends `${infer Start}:${string}`
    ? `${Start}${string}`
    : Path;
/** Plain forms (`route.form`) answer nothing but where to go. */
type InputOf<A extends Declared> = About<A>['input'];
type ResultOf<A extends Declared> = About<A>['result'];

export interface ActionOptions<Input, Result> {
  /** Where its form is posted to, in the page's language. Default: `url(path + '/form')`. */
  readonly form?: string;
  /** Runs at once, in the transition: shows what is going to be (`useOptimistic`). */
  readonly optimistic?: (input: Input | FormData) => void;
  /** Runs once it is done. Where a form has none, the visitor goes on as they would without script. */
  readonly done?: (result: Result, answer: { readonly location: string | null }) => void;
  /** Runs when it was refused or failed; true when it said so itself. */
  readonly failed?: (error: RpcError) => boolean | undefined;
}

/** What an island knows of an action that it uses. */
export interface UsedAction<Input, Result> {
  /** Makes the call. Calls are made one after the other. */
  readonly run: (input: Input) => void;
  /** For {@link ActionForm}. */
  readonly form: { readonly action: string; readonly submit: (data: FormData) => void };
  readonly pending: boolean;
  /** Why the last one was refused or failed. */
  readonly error: RpcError | null;
  /** What is wrong with which field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the server was not reached. */
  readonly offline: boolean;
  /** What the last one answered. */
  readonly result: Result | undefined;
}

interface State<Result> {
  readonly error: RpcError | null;
  readonly result: Result | undefined;
}

/**
 * Something the server does, declared by `action(…)`: as a call (`run`) and as the form that works without JavaScript (`<ActionForm of={…}>`). What goes wrong
 * is said in the corner, unless it is about fields of a form.
 *
 * ```tsx
 * const vote = useAction<typeof upvote>(`/forum/${forum}/post/${post}/upvote`, { done: ({ vote_count }) => setCount(vote_count) });
 * return <ActionForm of={vote}><button disabled={vote.pending}>…</button></ActionForm>;
 * ```
 */
export function useAction<A extends Declared>(
  path: PathOf<About<A>['path']>,
  { form = url(`${path}/form`), optimistic, done, failed }: ActionOptions<InputOf<A>, ResultOf<A>> = {},
): UsedAction<InputOf<A>, ResultOf<A>> {
  type Result = ResultOf<A>;
  const none: State<Result> = { error: null, result: undefined };
  const [{ error, result }, dispatch, pending] = useActionState(
    async (before: State<Result>, ask: () => Promise<FormAnswer<Result>>): Promise<State<Result>> => {
      const { answer, error } = await attempt(ask, failed);
      if (error) return { ...before, error };
      if (done) startTransition(() => done(answer.result, answer));
      else if (answer.location !== null) location.assign(answer.location);
      return { error, result: answer.result };
    },
    none,
  );
  const begin = (input: InputOf<A> | FormData, ask: () => Promise<FormAnswer<Result>>): void =>
    startTransition(() => {
      optimistic?.(input);
      dispatch(ask);
    });
  return {
    run: (input) => begin(input, async () => ({ result: await rpc<Result>(path, input as object), location: null })),
    form: { action: form, submit: (data) => begin(data, () => sendForm<Result>(form, data)) },
    pending,
    error,
    fields: error?.fields ?? {},
    offline: error?.code === 0,
    result,
  };
}

/**
 * Asks the server for something that is no action: it has no form, and what it shows a page shows too. Calls are made one after the other; what goes
 * wrong is said as {@link useAction} says it.
 *
 * ```tsx
 * const { call, pending } = useCall<typeof latest>();
 * call('/forum/latest', { shown }, { done: setPosts });
 * ```
 *
 * Path, input and answer are typed by the route, declared by `route.rpc(…)`. Without a type, `call<Result>` takes any path.
 */
export function useCall(): { call: MakeCall; pending: boolean };
export function useCall<R extends DeclaredCall>(): { call: MakeTypedCall<AboutCall<R>>; pending: boolean };
export function useCall(): { call: MakeCall; pending: boolean } {
  const [, dispatch, pending] = useActionState(
    async (_: undefined, make: () => Promise<undefined>) => make(),
    undefined,
  );
  const call: MakeCall = (path, input, { done, failed }) =>
    startTransition(() =>
      dispatch(async () => {
        const { answer, error } = await attempt(() => rpc<Parameters<typeof done>[0]>(path, input), failed);
        if (!error) startTransition(() => done(answer));
      }),
    );
  return { call, pending };
}

/** What is known of a call by its type: `useCall<typeof latest>`. Made by `route.rpc(…)` of `pergola`. */
interface DeclaredCall {
  readonly $call?: { readonly path: string; readonly input: unknown; readonly result: unknown };
}
type AboutCall<R extends DeclaredCall> = NonNullable<R['$call']>;
type MakeTypedCall<A extends AboutCall<DeclaredCall>> = (
  path: PathOf<A['path']>,
  input: A['input'],
  then: { readonly done: (result: A['result']) => void; readonly failed?: Failed },
) => void;

type Failed = ActionOptions<never, never>['failed'];
type MakeCall = <Result>(
  path: string,
  input: object,
  then: { readonly done: (result: Result) => void; readonly failed?: Failed },
) => void;

/** What was answered; else what went wrong, said in the corner unless `failed` has said it or it is about fields. */
async function attempt<T>(
  ask: () => Promise<T>,
  failed: Failed,
): Promise<{ readonly answer: T; readonly error: null } | { readonly answer?: never; readonly error: RpcError }> {
  try {
    return { answer: await ask(), error: null };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    const isShown = Object.keys(error.fields).length > 0;
    if (!failed?.(error) && !isShown) notify(error.message, 'alert');
    return { error };
  }
}

/**
 * The form of an action: posted as it is without JavaScript, sent by script with it. The first field that is wrong gets the focus; a refusal
 * that names none of the form's fields is said in the corner.
 *
 * @param callWith where script is to make the call instead, one at a time: with this input
 */
export function ActionForm<Input>({
  of: { form, error, pending, run },
  callWith,
  children,
  ...attributes
}: Omit<ComponentProps<'form'>, 'action' | 'method'> & {
  readonly of: Pick<UsedAction<Input, unknown>, 'form' | 'error'> &
    Partial<Pick<UsedAction<Input, unknown>, 'pending' | 'run'>>;
  readonly callWith?: NoInfer<Input>;
}): ReactNode {
  const element = useRef<HTMLFormElement>(null);
  const isPosted = callWith === undefined;
  useEffect(() => {
    if (!error) return;
    const fields = Object.keys(error.fields).flatMap((name) => element.current?.elements.namedItem(name) ?? []);
    const [first] = fields;
    if (first instanceof HTMLElement) first.focus();
    // Refusals of a model may name fields that the form calls otherwise, or doesn't have.
    if (fields.length === 0 && Object.keys(error.fields).length > 0 && isPosted) notify(error.message, 'alert');
  }, [error, isPosted]);
  const submit = (event: ReactSubmitEvent<HTMLFormElement>): void => {
    attributes.onSubmit?.(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (callWith === undefined) form.submit(new FormData(event.currentTarget, event.submitter));
    else if (!pending) run?.(callWith);
  };
  return createElement(
    'form',
    { ...attributes, ref: element, method: 'post', action: form.action, onSubmit: submit },
    createElement(Token),
    children,
  );
}

/** The proof that a form was sent from a page of ours, where one is needed. */
export function Token(): ReactNode {
  return createElement('pergola-token', {
    suppressHydrationWarning: true,
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a field of our own, escaped
    dangerouslySetInnerHTML: { __html: csrfField() },
  });
}
