import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { currentAccount } from '@pergola/core';
import { stringifySetCookie } from 'cookie';
import fresh from 'fresh';
import { type RequestInfo, wantsJson } from '../request-info.ts';
import type { Call } from '../routes/call.ts';
import { type Reply, reply as replies } from '../routes/reply.ts';
import type { RouteMatch } from '../routes/route-table.ts';
import type { Guards } from '../security/guards.ts';
import { safePath } from '../security/safe-path.ts';
import { fileReply } from './file-reply.ts';
import { type Flowing, type HeaderValues, type Ready, sendReady, sendStream, setHeaders } from './send.ts';

/** A reply other than a page, or a page after rendering. */
export type PlainReply = Exclude<Reply, { kind: 'page' }>;

/** Cookies and headers sent with any reply. */
export interface ReplyExtras {
  readonly cookies: readonly string[];
  readonly headers: ReadonlyMap<string, string>;
}
export const noExtras: ReplyExtras = Object.freeze({ cookies: [], headers: new Map<string, string>() });

/** Shows administrators in their browser which addons took how long. */
export function timingOf({ identity }: RequestInfo): HeaderValues {
  const account = identity.groups.has('base.group_system') ? currentAccount() : undefined;
  return account ? { 'server-timing': account.timing() } : {};
}

/** Sends a handler's reply, with the headers for its kind. */
export async function sendReply(
  call: Pick<Call, 'parts' | 'info' | 'res' | 'ticket'> & { readonly match?: RouteMatch | null },
  reply: PlainReply,
  extras: ReplyExtras,
): Promise<void> {
  const { info, res, parts } = call;
  const { guards, files } = parts.application;
  const { req } = info;
  // A form submitted by script: the script follows the redirect, or stays.
  if (
    reply.kind === 'redirect' &&
    info.method === 'POST' &&
    call.match?.bound.route.handling.forVisitors &&
    wantsJson(req)
  ) {
    const { result = null } = reply;
    return sendReply(call, replies.json({ location: locationOf(reply), result }) as PlainReply, extras);
  }
  setHeaders(res, { ...securityOf(guards, info, reply), ...cachingOf(info, reply), ...headersOf(reply) });
  setHeaders(res, { ...timingOf(info), ...Object.fromEntries(extras.headers) });
  addCookies(res, [...addressCookies(info), ...extras.cookies]);
  switch (reply.kind) {
    case 'redirect':
      return sendReady(req, res, { status: reply.status, headers: {}, body: '' });
    case 'empty':
      return sendReady(req, res, { status: reply.status, headers: {}, body: '' });
    case 'file':
      return sendEither(call, await fileReply(req, reply, { files, shared: !info.session.exists }));
    case 'body':
      return sendEither(call, conditional(req, reply));
  }
}

/** A text with its ETag, or 304 if the client has it. Feed readers request it every few minutes. */
function conditional(
  { method, headers: { 'if-none-match': clientEtag } }: IncomingMessage,
  { status, body, type }: Extract<Reply, { kind: 'body' }>,
): Pick<Ready, 'status' | 'headers'> & { readonly body: Ready['body'] | Readable } {
  const isKept = method === 'GET' || method === 'HEAD';
  if (!isKept || status !== 200 || typeof body !== 'string' || type.startsWith('application/json'))
    return { status, headers: {}, body };
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const isKnown = clientEtag !== undefined && fresh({ 'if-none-match': clientEtag }, { etag });
  return { status: isKnown ? 304 : status, headers: { etag }, body: isKnown ? '' : body };
}

function sendEither(
  { info, res, ticket }: Pick<Call, 'info' | 'res' | 'ticket'>,
  { status, headers, body }: Pick<Ready, 'status' | 'headers'> & { readonly body: (Ready | Flowing)['body'] },
): Promise<void> {
  if (!(body instanceof Readable)) return sendReady(info.req, res, { status, headers, body });
  // The speed is up to the visitor.
  return ticket.outside(() => sendStream(info.req, res, { status, headers, body }));
}

/** Cookies set for the address (its language) and for the request's session. */
export function addressCookies({ address, host }: RequestInfo): string[] {
  const secure = host.origin.startsWith('https:');
  return Object.entries(address.cookies ?? {}).map(([name, value]) =>
    stringifySetCookie({ name, value, path: '/', maxAge: YEAR, sameSite: 'lax', secure }),
  );
}

const YEAR = 365 * 24 * 3600;

function securityOf(guards: Guards, info: RequestInfo, reply: PlainReply): HeaderValues {
  const isPage = reply.kind === 'redirect' || (reply.kind === 'body' && reply.type.startsWith('text/html'));
  const kind = reply.kind === 'file' ? 'file' : isPage ? 'page' : 'data';
  return guards.securityHeaders(kind, info.site.generation);
}

/** Replies made with a session are never cached (C45); all others are revalidated each time. */
function cachingOf(info: RequestInfo, reply: PlainReply): HeaderValues {
  if (reply.kind === 'file') return {};
  if (reply.kind === 'body' && reply.type.startsWith('application/json')) return { 'cache-control': 'no-store' };
  return { 'cache-control': info.session.exists ? 'no-store' : 'private, no-cache', vary: 'Cookie' };
}

function headersOf(reply: PlainReply): HeaderValues {
  switch (reply.kind) {
    case 'redirect':
      return { ...reply.headers, location: locationOf(reply) };
    case 'body':
      return { 'content-type': reply.type, ...reply.headers };
    default:
      return reply.headers ?? {};
  }
}

function locationOf({ elsewhere: isExternal, to }: Extract<Reply, { kind: 'redirect' }>): string {
  return isExternal ? to : safePath(to);
}

/** Adds to the cookies already set on a reply. */
export function addCookies(
  res: { appendHeader(name: string, value: readonly string[]): unknown },
  cookies: readonly string[],
): void {
  if (cookies.length > 0) res.appendHeader('set-cookie', cookies);
}
