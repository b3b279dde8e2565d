import { csrfToken, pageLanguage, t } from './page.ts';

/** A rejected or failed call. `title` and `message` are for people; `reference` finds the server's log line. */
export class RpcError extends Error {
  /** 100: sign in first; 200: rejected; 404: not found; 0: server not reached; otherwise the HTTP status of a reply that isn't JSON-RPC. */
  declare readonly code: number;
  declare readonly title: string;
  declare readonly reference: string | null;
  /** Stable error code, such as `core.conflict`; empty if the server didn't reply. */
  declare readonly reason: string;
  /** Error messages by field. */
  declare readonly fields: Readonly<Record<string, string>>;

  constructor(
    code: number,
    title: string,
    message: string,
    reference: string | null = null,
    details: { readonly reason?: string; readonly fields?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.code = code;
    this.title = title;
    this.reference = reference;
    this.reason = details.reason ?? '';
    this.fields = details.fields ?? {};
  }
}

/** Language and website of this page. Calls use them, whatever another tab has selected meanwhile. */
interface PageContext {
  /** `fr_FR` */
  readonly lang: string;
  readonly website_id?: number;
}

function pageContext(): PageContext {
  const { websiteId } = document.documentElement.dataset;
  return { lang: pageLanguage().replace('-', '_'), ...(websiteId ? { website_id: Number(websiteId) } : {}) };
}

/** Context as text for a header or a query: `lang=fr_FR&website_id=1`. */
function contextText(): string {
  return `${new URLSearchParams(pageContext() as object as Record<string, string>)}`;
}

/**
 * `fetch` within this site, with replies in the language of this page. For addresses that return neither JSON-RPC nor forms.
 *
 * @throws TypeError if the server couldn't be reached
 */
export function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('X-Page-Context', contextText());
  return fetch(path, { ...init, headers });
}

/** Opens an event stream of this site (`route.events`) in the language of this page. Components use `useEvents`. */
export function openStream(path: string): EventSource {
  return new EventSource(`${path}?context=${encodeURIComponent(contextText())}`);
}

interface Envelope {
  readonly result?: unknown;
  readonly error?: {
    code: number;
    message: string;
    data?: {
      message?: string;
      arguments?: readonly unknown[];
      reference?: string;
      code?: string;
      fields?: Readonly<Record<string, string>>;
    };
  };
}

/** Type of a call, as in `rpc<typeof latest>` and `useCall<typeof latest>`. Created by `route.rpc(…)` and `action(…)` of `pergola`. */
export interface DeclaredCall {
  readonly $call?: { readonly path: string; readonly input: unknown; readonly result: unknown };
}
type AboutCall<R> = R extends { readonly $call?: infer Call } ? Extract<Call, { readonly path: string }> : never;

/** Addresses that match a declared path: `/forum/:post/upvote` becomes `/forum/${string}/upvote`. */
export type AddressOf<Path extends string> = Path extends `${infer Start}:${string}/${infer Rest}`
  ? `${Start}${string}/${AddressOf<Rest>}`
  : Path extends `${infer Start}:${string}`
    ? `${Start}${string}`
    : Path;
/** Addresses of a call, or of several. */
export type CallAddress<R> = AddressOf<AboutCall<R>['path']>;
/** The call at an address. */
export type CallAt<R, Address extends string> =
  AboutCall<R> extends infer A
    ? A extends { readonly path: infer Path extends string }
      ? Address extends AddressOf<Path>
        ? A
        : never
      : never
    : never;

type OptionalIfEmpty<Input> = Record<never, never> extends Input ? [input?: Wire<Input>] : [input: Wire<Input>];

/** Type of a server value after JSON: moments become ISO texts. Nothing in it is changed. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly unknown[]
    ? { readonly [K in keyof T]: Wire<T[K]> }
    : T extends object
      ? { readonly [K in keyof T]: Wire<T[K]> }
      : T;

/** Result of a call, as in `CallResult<typeof latest>`. */
export type CallResult<R extends DeclaredCall> = Wire<AboutCall<R>['result']>;

/**
 * Calls a JSON-RPC route of this site. `rpc<typeof latest>(…)` takes the types of path, input and result from the route, declared by
 * `route.rpc(…)`.
 *
 * @throws RpcError
 */
export function rpc<R extends DeclaredCall>(
  path: CallAddress<R>,
  ...input: OptionalIfEmpty<AboutCall<R>['input']>
): Promise<CallResult<R>>;
export function rpc(path: string, params?: object): Promise<unknown>;
export async function rpc(path: string, params: object = {}): Promise<unknown> {
  const inContext = { context: pageContext(), ...params };
  const body = JSON.stringify({ jsonrpc: '2.0', method: 'call', params: inContext, id: 1 });
  const headers = { 'Content-Type': 'application/json' };
  const envelope = await readJson<Envelope>(await reach(path, { method: 'POST', headers, body }));
  const { error } = envelope;
  if (!error) return envelope.result;
  const [title, text] = error.data?.arguments ?? [];
  throw new RpcError(
    error.code,
    String(title ?? error.message),
    String(text ?? error.data?.message ?? error.message),
    error.data?.reference ?? null,
    { reason: error.data?.code, fields: error.data?.fields },
  );
}

/** Posts form fields (and files) to a route of this site that returns JSON or a fragment. */
export function postForm(path: string, fields: Readonly<Record<string, string | number | Blob>>): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value instanceof Blob ? value : String(value));
  const token = csrfToken();
  return request(path, { method: 'POST', body, headers: token ? { 'X-CSRF-Token': token } : {} });
}

/** Reply to a form submitted by script: the redirect target, and the action's result. */
export interface FormAnswer<T = unknown> {
  readonly location: string | null;
  readonly result: T;
}

interface RefusedForm {
  readonly error: {
    code: string;
    title: string;
    message: string;
    fields?: Readonly<Record<string, string>>;
    reference?: string;
  };
}

/**
 * Submits a form of the page by script and returns its outcome instead of a page.
 *
 * @throws RpcError
 */
export async function sendForm<T = unknown>(address: string, data: FormData): Promise<FormAnswer<T>> {
  const hasFiles = [...data.values()].some((value) => typeof value !== 'string');
  const body = hasFiles ? data : new URLSearchParams([...data] as [string, string][]);
  const answer = await reach(address, { method: 'POST', headers: { Accept: 'application/json' }, body });
  const reply = await readJson<FormAnswer<T> | RefusedForm>(answer);
  if (!('error' in reply)) return reply;
  const { title, message, code, fields, reference = null } = reply.error;
  throw new RpcError(answer.status, title, message, reference, { reason: code, fields });
}

/** @throws RpcError if the server couldn't be reached. */
async function reach(address: string, init: RequestInit): Promise<Response> {
  const answer = await request(address, init).catch(() => null);
  if (!answer) throw new RpcError(0, t('No connection'), t('Couldn’t reach the server. Try again.'));
  return answer;
}

/** @throws RpcError if the reply isn't JSON. */
async function readJson<T>(answer: Response): Promise<T> {
  const value = (await answer.json().catch(() => null)) as T | null;
  if (value !== null) return value;
  const title = answer.statusText || t('Error {status}', { status: answer.status });
  throw new RpcError(answer.status, title, t('The server couldn’t respond. Try again in a moment.'));
}
