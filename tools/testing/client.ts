import { parseSetCookie } from 'cookie';
import { type Filling, pressInIsland, readPage } from './form.ts';

/** An answer, read whole; an event stream is closed after its headers. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The `Location` of a redirect, as it was sent. */
  readonly location: string | null;
  json<T = unknown>(): T;
}

/** What a call was refused with. */
export class CallError extends Error {
  readonly code: number;
  /** The text of the envelope, which is the same for all refusals of a kind: “Odoo Server Error”, “Odoo Session Expired”. */
  readonly title: string;
  readonly data: { name: string; message: string; arguments: unknown[]; reference?: string; [key: string]: unknown };

  /** @param logged what the site's log says about a call that failed, if that is known */
  constructor(error: { code: number; message: string; data: CallError['data'] }, logged: readonly string[] = []) {
    super(error.data?.message ?? error.message, logged.length > 0 ? { cause: new Error(logged.join('')) } : {});
    this.code = error.code;
    this.title = error.message;
    this.data = error.data;
  }

  /** The texts beside fields, by name, in the language of the call. */
  get fields(): Readonly<Record<string, string>> {
    return (this.data.fields ?? {}) as Readonly<Record<string, string>>;
  }
}

/** A visitor: keeps cookies, follows no redirects by itself. */
export class Client {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  /** Tokens of forms by ids of sessions: all tokens of a session are valid, so one page is enough to read one. */
  readonly #tokens = new Map<string, string>();
  /** What this visitor alone may know: ids of sessions, passwords and tokens that were sent. */
  readonly secrets = new Set<string>();
  readonly #from: string | null;
  readonly #refused: readonly string[];
  /** The lines of the site's log with a reference that an answer named. */
  logged: (reference: string) => readonly string[] = () => [];

  /**
   * @param from the address that requests seem to come from, for a site with `TRUSTED_PROXIES: 'loopback'`
   * @param refused names of cookies that this visitor doesn't keep
   */
  constructor(origin: string, from: string | null = null, refused: readonly string[] = []) {
    this.#origin = origin;
    this.#from = from;
    this.#refused = refused;
  }

  get cookies(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#cookies);
  }

  /** The cookies as a browser would send them. */
  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  get(path: string, init: RequestInit = {}): Promise<Answer> {
    return this.request(path, init);
  }

  /** A POST with any body. */
  post(path: string, init: RequestInit = {}): Promise<Answer> {
    return this.request(path, { method: 'POST', ...init });
  }

  /** Sends a form as a browser would from a page of the site: with the token that `page` (or any page) carries, when there is a session. */
  async form(
    path: string,
    fields: Readonly<Record<string, string | number | readonly string[] | Blob>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const token = await this.#keptToken();
    this.#noteSecrets(fields);
    const entries = Object.entries({ ...(token ? { csrf_token: token } : {}), ...fields });
    const hasFiles = entries.some(([, value]) => typeof value === 'object' && !Array.isArray(value));
    const body = hasFiles ? new FormData() : new URLSearchParams();
    for (const [name, value] of entries) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (body instanceof FormData) body.append(name, typeof one === 'object' ? (one as Blob) : String(one));
        else body.append(name, String(one));
      }
    }
    return this.request(path, { method: 'POST', body, headers: { Origin: this.#origin, ...headers } });
  }

  /**
   * What somebody without JavaScript does: opens a page, fills in a form of an island and presses one of its buttons, by the name people read. Answers the page
   * that stands there then, and what is read on it.
   */
  async press(
    path: string,
    island: string,
    button: string | RegExp,
    fields: Filling = {},
  ): Promise<Answer & { readonly read: string }> {
    const { page, text } = await this.#open(path);
    const { method, action, isMultipart, entries } = pressInIsland(text, island, button, fields);
    const target = new URL(action, page);
    const form = new FormData();
    for (const [name, value] of entries) form.append(name, value);
    const query = new URLSearchParams([...form].map(([name, value]) => [name, String(value)]));
    this.#noteSecrets(Object.fromEntries(query));
    const headers = { Origin: this.#origin, Referer: page };
    if (method !== 'POST') target.search = query.toString();
    const body = isMultipart ? form : query;
    const answer = await this.#open(target.href, method === 'POST' ? { method, body, headers } : { headers });
    return { ...answer, read: readPage(answer.text) };
  }

  /** What somebody without JavaScript reads in an island of a page: its texts, and where its links lead. */
  async readIsland(path: string, island: string): Promise<string> {
    return readPage((await this.#open(path)).text, island);
  }

  /** The page that a request leads to in the end, and its address. */
  async #open(path: string, init: RequestInit = {}): Promise<Answer & { readonly page: string }> {
    let page = new URL(path, this.#origin).href;
    let answer = await this.request(page, init);
    for (let hop = 0; answer.location !== null && hop < 5; hop++) {
      page = new URL(answer.location, page).href;
      answer = await this.request(page);
    }
    return { ...answer, page };
  }

  /** Calls a JSON-RPC route; answers the result, throws {@link CallError}. */
  async rpc<T = unknown>(path: string, params: object = {}): Promise<T> {
    this.#noteSecrets(params);
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'call', params, id: 1 });
    const answer = await this.request(path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', Origin: this.#origin },
    });
    const envelope = answer.json<{ result: T; error?: ConstructorParameters<typeof CallError>[0] }>();
    if (envelope.error) {
      const { reference } = envelope.error.data ?? {};
      throw new CallError(envelope.error, reference === undefined ? [] : this.logged(reference));
    }
    return envelope.result;
  }

  async request(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    this.#noteSecrets(Object.fromEntries(new URL(path, this.#origin).searchParams));
    // Compressing answers that never leave the machine takes longer than making them.
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
    // A server that stops may close an idle connection just as the next request is sent over it.
    if (!headers.has('connection')) headers.set('connection', 'close');
    if (this.#cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', this.cookieHeader);
    if (this.#from !== null && !headers.has('x-forwarded-for')) headers.set('x-forwarded-for', this.#from);
    const answer = await fetch(new URL(path, this.#origin), { redirect: 'manual', ...init, headers });
    this.keepCookies(answer.headers.getSetCookie());
    // Event streams don't end.
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream ? '' : await answer.text();
    if (isStream) await answer.body?.cancel();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      location: answer.headers.get('location'),
      json: <T>() => JSON.parse(text) as T,
    };
  }

  #noteSecrets(values: object): void {
    for (const [name, value] of Object.entries(values)) if (/password|token/i.test(name)) this.#noteSecret(value);
  }

  /** Short ones are words that a log may well hold. */
  #noteSecret(value: unknown): void {
    if (typeof value === 'string' && value.length >= 12) this.secrets.add(value);
  }

  keepCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const { name, value = '', maxAge = 1 } = parseSetCookie(line, { decode: (text) => text });
      if (this.#refused.includes(name)) continue;
      if (maxAge <= 0) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
      if (name.endsWith('session_id')) this.#noteSecret(value);
    }
  }

  async #keptToken(): Promise<string> {
    const session = this.#sessionId();
    const token = this.#tokens.get(session) ?? (await this.csrfToken());
    // A request may have changed the session's id.
    if (token !== '') this.#tokens.set(this.#sessionId(), token);
    return token;
  }

  #sessionId(): string {
    return [...this.#cookies].find(([name]) => name.endsWith('session_id'))?.[1] ?? '';
  }

  /** The token of this session's forms, from a page that has one; empty without a session. */
  async csrfToken(page = '/web/logout'): Promise<string> {
    if (this.#sessionId() === '') return '';
    const { text } = await this.#open(page);
    return (
      /name="csrf_token"[^>]*value="([^"]*)"/.exec(text)?.[1] ??
      /value="([^"]*)"[^>]*name="csrf_token"/.exec(text)?.[1] ??
      ''
    );
  }
}
