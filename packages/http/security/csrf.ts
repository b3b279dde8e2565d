import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { NotAllowed } from '@pergola/core';
import type { RequestSession } from '../sessions/session.ts';

/** Name of the hidden field with the token. Forms submitted by script use the header `x-csrf-token`. */
export const CSRF_FIELD = 'csrf_token';

/** Request data for the cross-site check. */
export interface CrossSiteQuestion {
  readonly headers: IncomingMessage['headers'];
  /** The origin of this request's host. */
  readonly origin: string;
}

const bytes = 16;

/**
 * CSRF token for a form of this session: its secret under a new mask each time, so that a compressed page never repeats it (BREACH). All
 * tokens of a session are equally valid. Empty without a session.
 */
export function csrfToken({ csrfSecret }: Pick<RequestSession, 'csrfSecret'>): string {
  if (csrfSecret === null) return '';
  const mask = randomBytes(bytes);
  return Buffer.concat([mask, xor(mask, csrfSecret)]).toString('base64url');
}

/**
 * With a session, a form needs its token; without one, the browser has to confirm that it comes from our pages.
 *
 * @throws NotAllowed `core.cross_site`, `core.no_origin`, `core.csrf_missing` or `core.csrf_wrong`.
 */
export function checkCsrf(
  question: CrossSiteQuestion,
  session: Pick<RequestSession, 'csrfSecret'>,
  token: string | null,
): void {
  const { csrfSecret } = session;
  checkSameOrigin(question, csrfSecret === null ? 'required' : 'if-present');
  if (csrfSecret === null) return;
  if (token === null || token === '') throw outdated({ code: 'core.csrf_missing' });
  if (!isTokenOf(csrfSecret, token)) throw outdated({ code: 'core.csrf_wrong' });
}

/**
 * Rejects cross-site requests. Clients other than browsers send neither header.
 *
 * @throws NotAllowed `core.cross_site` or `core.no_origin`.
 */
export function checkSameOrigin(
  { headers, origin: siteOrigin }: CrossSiteQuestion,
  proof: 'required' | 'if-present',
): void {
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  // Sandboxed frames, files and cross-site redirects send `null`, which is never this site.
  if (origin !== undefined && origin !== siteOrigin) throw fromElsewhere();
  // `none`: typed or bookmarked by the visitor; not a proof, but not another site either.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw fromElsewhere();
  if (proof === 'required' && origin === undefined && site !== 'same-origin') throw unproved();
}

function fromElsewhere(): NotAllowed {
  return new NotAllowed(
    'This request came from another site, so nothing was changed. Open the page on this site and try again.',
    {
      code: 'core.cross_site',
    },
  );
}

function unproved(): NotAllowed {
  return new NotAllowed(
    'Your browser didn’t say which page this came from, so nothing was changed. Allow it to send the Origin header and try again.',
    { code: 'core.no_origin' },
  );
}

function outdated({ code }: { readonly code: string }): NotAllowed {
  return new NotAllowed('This page is out of date, so nothing was changed. Reload it and try again.', {
    code,
  });
}

function isTokenOf(secret: Uint8Array, token: string): boolean {
  const read = Buffer.from(token, 'base64url');
  if (read.byteLength !== 2 * bytes) return false;
  return timingSafeEqual(xor(read.subarray(0, bytes), secret), read.subarray(bytes));
}

function xor(mask: Uint8Array, secret: Uint8Array): Buffer {
  return Buffer.from(mask.map((byte, index) => byte ^ (secret[index] ?? 0)));
}
