import { parseSetCookie } from 'cookie';
import { type Filling, pressInIsland, readPage } from './form.ts';

/** A response, read completely; an event stream is closed after its headers. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The `Location` header of a redirect. */
  readonly location: string | null;
  json<T = unknown>(): T;
}

/** Error of a JSON-RPC call. */
export class CallError extends Error {
  readonly code: number;
  /** Generic title of the envelope, shared by all errors of a kind: “Odoo Server Error”, “Odoo Session Expired”. */
  readonly title: string;
  readonly data: { name: string; message: string; arguments: unknown[]; reference?: string; [key: string]: unknown };

  /** @param logged log lines of the site about the failed call, if known */
  constructor(error: { code: number; message: string; data: CallError['data'] }, logged: readonly string[] = []) {
    super(error.data?.message ?? error.message, logged.length > 0 ? { cause: new Error(logged.join('')) } : {});
    this.code = error.code;
    this.title = error.message;
    this.data = error.data;
  }

  /** Error messages of fields, by name, in the language of the call. */
  get fields(): Readonly<Record<string, string>> {
    return (this.data.fields ?? {}) as Readonly<Record<string, string>>;
  }
}

/** A visitor: keeps cookies, and doesn't follow redirects automatically. */
export class Client {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  /** CSRF token by session id: all tokens of a session are valid, so one page is enough to read one. */
  readonly #tokens = new Map<string, string>();
  /** Values that must stay secret: session ids, passwords and tokens. */
  readonly secrets = new Set<string>();
  readonly #from: string | null;
  readonly #refused: readonly string[];
  /** Returns the site's log lines with an error reference. */
  logged: (reference: string) => readonly string[] = () => [];

  /**
   * @param from apparent IP address of its requests, for a site with `TRUSTED_PROXIES: 'loopback'`
   * @param rejectedCookies names of cookies that this visitor rejects
   */
  constructor(origin: string, from: string | null = null, rejectedCookies: readonly string[] = []) {
    this.#origin = origin;
    this.#from = from;
    this.#refused = rejectedCookies;
  }

  get cookies(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#cookies);
  }

  /** The `Cookie` header as a browser would send it. */
  get cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  cookie(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  get(path: string, init: RequestInit = {}): Promise<Answer> {
    return this.request(path, init);
  }

  /** Sends a POST request with any body. */
  post(path: string, init: RequestInit = {}): Promise<Answer> {
    return this.request(path, { method: 'POST', ...init });
  }

  /** Sends a form like a browser on a page of the site: if there is a session, with the CSRF token of `page` (or any page). */
  async form(
    path: string,
    fields: Readonly<Record<string, string | number | readonly string[] | Blob>> = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const token = await this.#cachedToken();
    this.#noteSecrets(fields);
    const entries = Object.entries({ ...(token ? { csrf_token: token } : {}), ...fields });
    const hasFiles = entries.some(([, value]) => typeof value === 'object' && !Array.isArray(value));
    const body = hasFiles ? new FormData() : new URLSearchParams();
    for (const [name, value] of entries) {
      for (const item of Array.isArray(value) ? value : [value]) {
        if (body instanceof FormData) body.append(name, typeof item === 'object' ? (item as Blob) : String(item));
        else body.append(name, String(item));
      }
    }
    return this.request(path, { method: 'POST', body, headers: { Origin: this.#origin, ...headers } });
  }

  /**
   * Acts like a visitor without JavaScript: opens a page, fills in an island's form and presses a button by its visible name. Returns the
   * resulting page and its text.
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
    const response = await this.#open(target.href, method === 'POST' ? { method, body, headers } : { headers });
    return { ...response, read: readPage(response.text) };
  }

  /** Text of an island for a visitor without JavaScript, including the URLs of its links. */
  async readIsland(path: string, island: string): Promise<string> {
    return readPage((await this.#open(path)).text, island);
  }

  /** Follows redirects to the final page and returns it with its URL. */
  async #open(path: string, init: RequestInit = {}): Promise<Answer & { readonly page: string }> {
    let page = new URL(path, this.#origin).href;
    let response = await this.request(page, init);
    for (let hop = 0; response.location !== null && hop < 5; hop++) {
      page = new URL(response.location, page).href;
      response = await this.request(page);
    }
    return { ...response, page };
  }

  /**
   * Calls a JSON-RPC route and returns the result.
   *
   * @throws CallError if the call fails
   */
  async rpc<T = unknown>(path: string, params: object = {}): Promise<T> {
    this.#noteSecrets(params);
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'call', params, id: 1 });
    const response = await this.request(path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', Origin: this.#origin },
    });
    const envelope = response.json<{ result: T; error?: ConstructorParameters<typeof CallError>[0] }>();
    if (envelope.error) {
      const { reference } = envelope.error.data ?? {};
      throw new CallError(envelope.error, reference === undefined ? [] : this.logged(reference));
    }
    return envelope.result;
  }

  async request(path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(init.headers);
    this.#noteSecrets(Object.fromEntries(new URL(path, this.#origin).searchParams));
    // Compressing local responses takes longer than rendering them.
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
    // A stopping server may close an idle connection just as the next request is sent over it.
    if (!headers.has('connection')) headers.set('connection', 'close');
    if (this.#cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', this.cookieHeader);
    if (this.#from !== null && !headers.has('x-forwarded-for')) headers.set('x-forwarded-for', this.#from);
    const response = await fetch(new URL(path, this.#origin), { redirect: 'manual', ...init, headers });
    this.keepCookies(response.headers.getSetCookie());
    // Event streams don't end.
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isStream ? '' : await response.text();
    if (isStream) await response.body?.cancel();
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: response.headers.get('location'),
      json: <T>() => JSON.parse(text) as T,
    };
  }

  #noteSecrets(values: object): void {
    for (const [name, value] of Object.entries(values)) if (/password|token/i.test(name)) this.#noteSecret(value);
  }

  /** Ignores short values, which may occur in a log by chance. */
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

  async #cachedToken(): Promise<string> {
    const session = this.#sessionId();
    const token = this.#tokens.get(session) ?? (await this.csrfToken());
    // A request may have changed the session's id.
    if (token !== '') this.#tokens.set(this.#sessionId(), token);
    return token;
  }

  #sessionId(): string {
    return [...this.#cookies].find(([name]) => name.endsWith('session_id'))?.[1] ?? '';
  }

  /** The session's CSRF token from a page that contains one; empty without a session. */
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
