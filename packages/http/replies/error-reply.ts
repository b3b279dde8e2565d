import type { IncomingMessage, ServerResponse } from 'node:http';
import { inEnglish, NOT_READY, noSession, sentence } from '@pergola/core';
import { templates } from '@pergola/pages';
import { catalogs, textDomain } from '@pergola/texts';
import { contextOptions, type RequestInfo, wantsJson } from '../request-info.ts';
import type { HttpParts } from '../routes/call.ts';
import { HandlerEffects } from '../routes/handler-effects.ts';
import type { RouteMatch } from '../routes/route-table.ts';
import { type ForDeveloper, forDeveloper } from './error-for-developer.ts';
import { type Failure, failureOf, NO_SUCH_ROUTE, odooErrorOf } from './failure.ts';
import { notReadyTexts, plainPage, plainTexts } from './plain-page.ts';
import { type Ready, sendReady, setHeaders } from './send.ts';
import { addCookies, addressCookies } from './send-reply.ts';

/** Format of an error reply: the one its route uses. */
export type ErrorStyle = 'page' | 'rpc' | 'json' | 'text';

export interface ErrorContext {
  readonly parts: HttpParts;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly reference: string;
  /** Null if the error occurred before the request was resolved. */
  readonly info: RequestInfo | null;
  readonly style: ErrorStyle;
  /** The failing route, if known. */
  readonly match?: RouteMatch | null;
  /** The `id` of a call. */
  readonly rpcId?: unknown;
}

/** Sends an error reply: with its text if it was raised on purpose, with a reference if it is an internal fault (C34). */
export async function sendError(context: ErrorContext, error: unknown): Promise<void> {
  const { res, parts, info, style } = context;
  const failure = failureOf(error);
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  // Headers the handler set before it failed belong to a reply that isn't sent.
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  const isPage = style === 'page';
  setHeaders(res, parts.application.guards.securityHeaders(isPage ? 'page' : 'data', info?.site.generation ?? null));
  res.setHeader('cache-control', 'no-store');
  if (failure.retryAfter !== null) res.setHeader('retry-after', failure.retryAfter);
  if (failure.allow.length > 0) res.setHeader('allow', failure.allow.join(', '));
  if (info) addCookies(res, addressCookies(info));
  const { type, ...reply } = await replyTo(context, error, failure);
  await sendReady(context.req, res, { ...reply, headers: { 'content-type': type } });
}

async function replyTo(
  context: ErrorContext,
  error: unknown,
  failure: Failure,
): Promise<Pick<Ready, 'status' | 'body'> & { readonly type: string }> {
  const json = 'application/json; charset=utf-8';
  const texts = textsOf(context, error, failure);
  const { title, message, fields } = texts;
  switch (context.style) {
    case 'rpc':
      return { status: rpcStatus(failure), type: json, body: JSON.stringify(rpcError(context, error, failure, texts)) };
    case 'json': {
      const value = { error: { code: failure.code, title, message, fields, reference: context.reference } };
      return { status: callStatus(context, failure), type: json, body: JSON.stringify(value) };
    }
    case 'text':
      return { status: failure.status, type: 'text/plain; charset=utf-8', body: `${message}\n` };
    case 'page': {
      const status = callStatus(context, failure);
      const body = await errorPage(context, { ...failure, status }, texts);
      return { status, type: 'text/html; charset=utf-8', body };
    }
  }
}

/** Invalid values are 422 for a submitted form, and 400 for an address. */
function callStatus({ req }: ErrorContext, { status }: Failure): number {
  return status === 422 && req.method !== 'POST' ? 400 : status;
}

/** The texts of a failure in the visitor's language. */
interface ErrorTexts {
  readonly title: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly forDeveloper: ForDeveloper;
}

function textsOf(context: ErrorContext, error: unknown, failure: Failure): ErrorTexts {
  const { info, reference } = context;
  const { title, message, params, fields, isInternal } = failure;
  const developer = forDeveloper(context, error, failure);
  return {
    title: translate(info, failure, title, {}),
    message: (isInternal && developer.text) || translate(info, failure, message, { reference, ...params }),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, text]) => [name, translate(info, failure, text, params)]),
    ),
    forDeveloper: developer,
  };
}

function translate(info: RequestInfo | null, { code }: Failure, text: string, params: Failure['params']): string {
  if (info) return info.site.generation.get(catalogs).translate(info.address.lang, textDomain(code), text, params);
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(params[name] ?? placeholder));
}

/** Like Odoo, replies to calls have status 200 with an error inside, unless the call couldn't be read. */
function rpcStatus({ status, code }: Failure): number {
  const transport = [400, 405, 408, 413, 421, 503];
  return transport.includes(status) || code === NO_SUCH_ROUTE || code === 'core.cross_site' ? status : 200;
}

function rpcError(context: ErrorContext, error: unknown, failure: Failure, texts: ErrorTexts): object {
  const { title, message: text, fields, forDeveloper: developer } = texts;
  const { code, message, name, exceptionType } = odooErrorOf(error, failure);
  const data = {
    name,
    message: text,
    arguments: [title, text],
    ...(exceptionType ? { exception_type: exceptionType } : {}),
    code: failure.code,
    ...(Object.keys(fields).length > 0 ? { fields } : {}),
    reference: context.reference,
    debug: developer.stack || developer.hint,
  };
  return { jsonrpc: '2.0', id: context.rpcId ?? null, error: { code, message, data } };
}

/** A fault below the name of its field, with the colon of the visitor's language. */
function labelled({ info }: ErrorContext, field: string, fault: string): string {
  const { text, params } = sentence('{field}: {text}', { field, text: fault });
  return (
    info?.site.generation.get(catalogs).translate(info.address.lang, 'core', text, params) ??
    inEnglish({ text, params })
  );
}

/** The page of an error: an addon's template when there is one and it works, else one that needs nothing. */
async function errorPage(context: ErrorContext, failure: Failure, texts: ErrorTexts): Promise<string> {
  const { info } = context;
  const { title, message } = texts;
  const fields = Object.entries(texts.fields).map(([name, fault]) => ({
    label: failure.labels[name] ?? '',
    text: fault,
  }));
  const { text, stack, hint } = texts.forDeveloper;
  const reference = failure.isInternal ? context.reference : null;
  if (info && text === '') {
    try {
      const html = await templatePage(context.parts, info, failure, { title, message, fields, reference, hint });
      if (html !== null) return html;
    } catch (broken) {
      info.log.error({ err: broken, status: failure.status }, 'The error page itself failed; a plain one was shown');
    }
  }
  const plain = failure.code === NOT_READY ? notReadyTexts : plainTexts[failure.status];
  const messages = [
    message,
    ...fields.map(({ label, text: fault }) => (label === '' ? fault : labelled(context, label, fault))),
  ];
  const isOwn = info !== null && !failure.isInternal;
  return plainPage({
    lang: info?.address.lang.replace('_', '-') ?? 'en',
    title: isOwn ? title : (plain?.title ?? title),
    texts: isOwn ? messages : (plain?.texts ?? [message]),
    reference,
    details: [text, stack, hint].filter(Boolean).join('\n\n'),
  });
}

/** `web.error_404` etc., or else `web.error`; null if neither exists. */
async function templatePage(
  { application, renderer }: HttpParts,
  info: RequestInfo,
  { status, code }: Failure,
  texts: Pick<ErrorTexts, 'title' | 'message'> & {
    readonly fields: readonly { readonly label: string; readonly text: string }[];
    readonly reference: string | null;
    readonly hint: string;
  },
): Promise<string | null> {
  const templateSet = info.site.generation.get(templates);
  const template = [`web.error_${status}`, 'web.error'].find((id) => templateSet.has(id));
  if (template === undefined) return null;
  return application.read(contextOptions(info, { session: noSession, label: 'error page' }), async (ctx) => {
    const view = new HandlerEffects(info).view();
    return renderer.fragment({ ctx, info, view, tracker: null }, template, { status, code, ...texts });
  });
}

/** Format for a request whose route is unknown. */
export function styleOf(req: IncomingMessage): ErrorStyle {
  if (/^\s*application\/json(-rpc)?\b/i.test(req.headers['content-type'] ?? '')) return 'rpc';
  return wantsJson(req) ? 'json' : 'page';
}
