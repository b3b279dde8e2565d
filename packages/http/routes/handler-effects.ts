import type { RequestView, Tracker } from '@pergola/core';
import { followRequest } from '@pergola/page-cache';
import { stringifySetCookie } from 'cookie';
import type { RequestInfo } from '../request-info.ts';
import type { SessionDraft } from '../sessions/session.ts';

/** Headers reserved for the HTTP server: framing, size and security of a reply. */
const reservedHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'keep-alive',
  'set-cookie',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-content-type-options',
]);

/**
 * Side effects of one attempt of a handler: cookies, headers, session changes. A retried handler starts with a new one, so no effects of a
 * failed attempt reach the visitor.
 */
export class HandlerEffects {
  readonly session: SessionDraft;
  readonly headers = new Map<string, string>();
  readonly cookies: string[] = [];
  readonly #info: RequestInfo;

  constructor(info: RequestInfo) {
    this.#info = info;
    this.session = info.session.draft();
  }

  /** View of the request for handlers; with a tracker, reading anything visitor-specific makes the page personal. */
  view(tracker: Tracker | null = null): RequestView {
    const { id, method, req, host, address, cookies, ip, target } = this.#info;
    const view: RequestView = {
      id,
      method,
      path: address.path,
      url: target.query === '' ? target.path : `${target.path}?${target.query}`,
      origin: host.origin,
      headers: req.headers,
      cookies,
      ip,
      setCookie: (name, value, options = {}) => this.#setCookie(name, value, options),
      setHeader: (name, value) => this.#setHeader(name, value),
    };
    return tracker ? followRequest(view, tracker) : view;
  }

  #setCookie(name: string, value: string, options: NonNullable<Parameters<RequestView['setCookie']>[2]>): void {
    const { maxAge, httpOnly = true, path = '/' } = options;
    const secure = this.#info.host.origin.startsWith('https:');
    this.cookies.push(stringifySetCookie({ name, value, maxAge, httpOnly, path, secure, sameSite: 'lax' }));
  }

  #setHeader(name: string, value: string): void {
    const headerName = name.toLowerCase();
    if (reservedHeaders.has(headerName))
      throw new TypeError(`The header ${name} is set by the server itself; a handler cannot change it.`);
    this.headers.set(headerName, value);
  }
}
