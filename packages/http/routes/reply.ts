import type { Readable } from 'node:stream';
import { InvalidInput } from '@pergola/core';
import type { FileRef } from '@pergola/files';

/** Reply of a handler, made by `render`, `redirect` or `reply.*`, never by hand. */
export type Reply =
  | {
      readonly kind: 'page';
      readonly template: string;
      readonly values: object;
      readonly status: number;
      readonly headers?: Headers;
      /** Result of an action, for a form submitted by a script. */
      readonly result?: unknown;
    }
  | {
      readonly kind: 'redirect';
      readonly to: string;
      readonly status: 301 | 302 | 303 | 307 | 308;
      /** Whether `to` is an address of another host. */
      readonly elsewhere?: true;
      readonly headers?: Headers;
      /** Result of an action, for a form submitted by a script. */
      readonly result?: unknown;
    }
  | {
      readonly kind: 'body';
      readonly body: string | Uint8Array | Readable;
      readonly type: string;
      readonly status: number;
      readonly headers?: Headers;
    }
  | {
      readonly kind: 'file';
      readonly file: FileRef;
      readonly name?: string;
      readonly inline: boolean;
      readonly maxAge?: number;
      readonly headers?: Headers;
    }
  | { readonly kind: 'empty'; readonly status: 204 | 304; readonly headers?: Headers };
type Headers = Readonly<Record<string, string | readonly string[]>>;

/**
 * Redirects to a path on this site; any other address becomes `/` (open redirects, C40). Use `reply.elsewhere` for an address of another
 * host.
 */
export function redirect(to: string, status: 301 | 302 | 303 | 307 | 308 = 303): Reply {
  return { kind: 'redirect', to, status };
}

/** Replies of `http` routes. */
export const reply = {
  /** JSON; `status` defaults to 200. */
  json: (value: unknown, status = 200): Reply => ({
    kind: 'body',
    body: JSON.stringify(value),
    type: 'application/json; charset=utf-8',
    status,
  }),
  /** Plain text. */
  text: (body: string, status = 200): Reply => ({ kind: 'body', body, type: 'text/plain; charset=utf-8', status }),
  /** Raw HTML: escape user input (`escapeHtml`), or return a page with `render`. */
  html: (body: string, status = 200): Reply => ({ kind: 'body', body, type: 'text/html; charset=utf-8', status }),
  /** Text, bytes or a stream of any type: `reply.body(csv, 'text/csv; charset=utf-8')`. */
  body: (body: string | Uint8Array | Readable, type: string, headers?: Headers, status = 200): Reply => ({
    kind: 'body',
    body,
    type,
    status,
    headers,
  }),
  /** A file of the filestore, with ETag; a download unless `inline`. */
  file: (file: FileRef, options: { name?: string; inline?: boolean; maxAge?: number } = {}): Reply => ({
    kind: 'file',
    file,
    inline: false,
    ...options,
  }),
  /** Empty reply: 204 or 304. */
  empty: (status: 204 | 304 = 204): Reply => ({ kind: 'empty', status }),
  /** Redirects to another host; never use an address from a request. Throws InvalidInput unless it is `https://…` or `http://…`. */
  elsewhere: (url: string, status: 301 | 302 | 303 | 307 = 303): Reply => {
    const address = URL.parse(url);
    if (address?.protocol !== 'https:' && address?.protocol !== 'http:') {
      throw new InvalidInput('“{url}” isn’t a valid web address.', { code: 'core.not_an_address', params: { url } });
    }
    return { kind: 'redirect', to: address.href, status, elsewhere: true };
  },
} as const;
