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
import {
  type AddressOf,
  type CallAddress,
  type CallAt,
  type DeclaredCall,
  type FormAnswer,
  RpcError,
  rpc,
  sendForm,
  type Wire,
} from '../rpc.ts';

/** Type of an action, as in `useAction<typeof upvote>`. Created by `action(…)` of `pergola`. */
interface Declared {
  readonly $action?: { readonly path: string; readonly input: unknown; readonly result: unknown };
}
type About<A extends Declared> = NonNullable<A['$action']>;
/** Plain forms (`route.form`) return only a redirect. */
type InputOf<A extends Declared> = About<A>['input'];
type ResultOf<A extends Declared> = About<A>['result'];

export interface ActionOptions<Input, Result> {
  /** URL the form posts to, in the page's language. Default: `url(path + '/form')`. */
  readonly form?: string;
  /** Runs immediately, in the transition, to show the expected result (`useOptimistic`). */
  readonly optimistic?: (input: Input | FormData) => void;
  /** Runs after success. Without it, a form redirects as it would without JavaScript. */
  readonly done?: (result: Result, answer: { readonly location: string | null }) => void;
  /** Runs after a rejection or failure; returns true if it reported the error itself. */
  readonly failed?: (error: RpcError) => boolean | undefined;
}

/** An action as used by an island. */
export interface UsedAction<Input, Result> {
  /** Makes the call. Calls run one after the other. */
  readonly run: (input: Input) => void;
  /** For {@link ActionForm}. */
  readonly form: { readonly action: string; readonly submit: (data: FormData) => void };
  readonly pending: boolean;
  /** Error of the last call. */
  readonly error: RpcError | null;
  /** Error messages by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the server couldn't be reached. */
  readonly offline: boolean;
  /** Result of the last call. */
  readonly result: Result | undefined;
}

interface State<Result> {
  readonly error: RpcError | null;
  readonly result: Result | undefined;
}

/**
 * Uses a server operation declared by `action(…)`: as a call (`run`) and as a form that also works without JavaScript (`<ActionForm
 * of={…}>`). Errors are shown as toasts, unless they concern fields of a form.
 *
 * ```tsx
 * const vote = useAction<typeof upvote>(`/forum/${forum}/post/${post}/upvote`, { done: ({ vote_count }) => setCount(vote_count) });
 * return <ActionForm of={vote}><button disabled={vote.pending}>…</button></ActionForm>;
 * ```
 */
export function useAction<A extends Declared>(
  path: AddressOf<About<A>['path']>,
  { form = url(`${path}/form`), optimistic, done, failed }: ActionOptions<InputOf<A>, ResultOf<A>> = {},
): UsedAction<InputOf<A>, ResultOf<A>> {
  type Result = ResultOf<A>;
  const initialState: State<Result> = { error: null, result: undefined };
  const [{ error, result }, dispatch, pending] = useActionState(
    async (previous: State<Result>, ask: () => Promise<FormAnswer<Result>>): Promise<State<Result>> => {
      const { answer, error } = await attempt(ask, failed);
      if (error) return { ...previous, error };
      if (done) startTransition(() => done(answer.result, answer));
      else if (answer.location !== null) location.assign(answer.location);
      return { error, result: answer.result };
    },
    initialState,
  );
  const begin = (input: InputOf<A> | FormData, ask: () => Promise<FormAnswer<Result>>): void =>
    startTransition(() => {
      optimistic?.(input);
      dispatch(ask);
    });
  return {
    run: (input) =>
      begin(input, async () => ({ result: (await rpc(path, input as object)) as Result, location: null })),
    form: { action: form, submit: (data) => begin(data, () => sendForm<Result>(form, data)) },
    pending,
    error,
    fields: error?.fields ?? {},
    offline: error?.code === 0,
    result,
  };
}

/**
 * Calls a server route that isn't an action: it has no form, and pages show the same content. Calls run one after the other; errors are
 * reported as by {@link useAction}.
 *
 * ```tsx
 * const { call, pending } = useCall<typeof latest>();
 * call('/forum/latest', { shown }, { done: setPosts });
 * ```
 *
 * Path, input and result are typed by the route, declared by `route.rpc(…)`, or by several (`useCall<typeof latest | typeof older>`).
 * Without a type, `call<Result>` takes a path that is only known at run time.
 */
export function useCall(): { call: MakeCall; pending: boolean };
export function useCall<R extends DeclaredCall>(): { call: MakeTypedCall<R>; pending: boolean };
export function useCall(): { call: MakeCall; pending: boolean } {
  const [, dispatch, pending] = useActionState(
    async (_: undefined, make: () => Promise<undefined>) => make(),
    undefined,
  );
  const call: MakeCall = (path, input, { done, failed }) =>
    startTransition(() =>
      dispatch(async () => {
        const { answer, error } = await attempt(() => rpc(path, input) as Promise<Parameters<typeof done>[0]>, failed);
        if (!error) startTransition(() => done(answer));
      }),
    );
  return { call, pending };
}

type MakeTypedCall<R extends DeclaredCall> = <Address extends CallAddress<R>>(
  path: Address,
  input: Wire<CallAt<R, Address>['input']>,
  then: { readonly done: (result: Wire<CallAt<R, Address>['result']>) => void; readonly failed?: Failed },
) => void;

type Failed = ActionOptions<never, never>['failed'];
type MakeCall = <Result>(
  path: string,
  input: object,
  then: { readonly done: (result: Result) => void; readonly failed?: Failed },
) => void;

/** Returns the result, or the error, shown as a toast unless `failed` has reported it or it concerns fields. */
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
 * Form of an action: posts normally without JavaScript, and is sent by script otherwise. Focuses the first invalid field; a rejection that
 * names none of the form's fields is shown as a toast.
 *
 * @param callWith input for a call that replaces the form post when JavaScript is available, one at a time
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
    // A model's errors may name fields that the form names differently or doesn't have.
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

/** CSRF token field, if one is needed. */
export function Token(): ReactNode {
  return createElement('pergola-token', {
    suppressHydrationWarning: true,
    // biome-ignore lint/security/noDangerouslySetInnerHtml: a field of our own, escaped
    dangerouslySetInnerHTML: { __html: csrfField() },
  });
}
