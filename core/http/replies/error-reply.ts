import type { IncomingMessage, ServerResponse } from 'node:http';
import { NOT_READY } from '../../base/index.ts';
import { texts } from '../../i18n/index.ts';
import { templates } from '../../page/index.ts';
import { contextOptions, type RequestInfo } from '../request-info.ts';
import type { HttpParts } from '../routes/call.ts';
import { HandlerEffects } from '../routes/handler-effects.ts';
import type { RouteMatch } from '../routes/route-table.ts';
import { noSession } from '../site.ts';
import { forDeveloper } from './error-for-developer.ts';
import { type Failure, failureOf, NO_SUCH_ROUTE, odooErrorOf } from './failure.ts';
import { notReadyTexts, plainPage, plainTexts } from './plain-page.ts';
import { sendReady, setHeaders } from './send.ts';
import { addCookies, addressCookies } from './send-reply.ts';

/** In which style an error is answered: as its route answers. */
export type ErrorStyle = 'page' | 'rpc' | 'json' | 'text';

export interface ErrorAbout {
  readonly parts: HttpParts;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly reference: string;
  /** Null when it went wrong before it was known who asks what. */
  readonly info: RequestInfo | null;
  readonly style: ErrorStyle;
  /** The route that failed, if it is known. */
  readonly match?: RouteMatch | null;
  /** The `id` of a call. */
  readonly rpcId?: unknown;
}

/** Answers an error: with its text where it was raised on purpose, with a reference where it is a fault of ours (C34). */
export async function sendError(about: ErrorAbout, error: unknown): Promise<void> {
  const { res, parts, info, style } = about;
  const failure = failureOf(error);
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  // Whatever the handler set before it failed belongs to an answer that is not given.
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  const isPage = style === 'page';
  setHeaders(res, parts.kernel.guards.securityHeaders(isPage ? 'page' : 'data', info?.site.generation ?? null));
  res.setHeader('cache-control', 'no-store');
  if (failure.retryAfter !== null) res.setHeader('retry-after', failure.retryAfter);
  if (failure.allow.length > 0) res.setHeader('allow', failure.allow.join(', '));
  if (info) addCookies(res, addressCookies(info));
  const { status, type, body } = await bodyOf(about, error, failure);
  await sendReady(about.req, res, { status, headers: { 'content-type': type }, body });
}

interface ErrorBody {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function bodyOf(about: ErrorAbout, error: unknown, failure: Failure): Promise<ErrorBody> {
  const json = 'application/json; charset=utf-8';
  const said = say(about, error, failure);
  switch (about.style) {
    case 'rpc':
      return { status: rpcStatus(failure), type: json, body: JSON.stringify(rpcError(about, error, failure, said)) };
    case 'json': {
      const { code, fields } = failure;
      const value = {
        error: { code, ...said, fields: translateFields(about, error, fields), reference: about.reference },
      };
      return { status: callStatus(about, failure), type: json, body: JSON.stringify(value) };
    }
    case 'text':
      return { status: failure.status, type: 'text/plain; charset=utf-8', body: `${said.message}\n` };
    case 'page':
      return {
        status: callStatus(about, failure),
        type: 'text/html; charset=utf-8',
        body: await errorPage(about, error, failure, said),
      };
  }
}

/** A value that does not fit is 422 for a form that was sent, and a bad request for an address. */
function callStatus({ req }: ErrorAbout, { status }: Failure): number {
  return status === 422 && req.method !== 'POST' ? 400 : status;
}

interface ErrorTexts {
  readonly title: string;
  readonly message: string;
}

/** The texts of a failure in the visitor's language. */
function say(about: ErrorAbout, error: unknown, failure: Failure): ErrorTexts {
  const { info, reference } = about;
  const { title, message, params } = failure;
  const told = { reference, ...params };
  const fault = failure.ours ? forDeveloper(about, error, failure).text : '';
  return { title: translate(info, error, title, {}), message: fault || translate(info, error, message, told) };
}

function translate(info: RequestInfo | null, error: unknown, text: string, params: Failure['params']): string {
  if (info) {
    const { lang } = info.address;
    const catalogs = info.site.generation.get(texts);
    const domain = catalogs.textDomain(lang, text, () => (Error.isError(error) ? error.stack : undefined));
    return catalogs.translate(lang, domain, text, params);
  }
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}

function translateFields({ info }: ErrorAbout, error: unknown, fields: Failure['fields']): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, translate(info, error, text, {})]));
}

/** Calls are answered with 200 and an error inside, as the original does; not so what went wrong before the call was read. */
function rpcStatus({ status, code }: Failure): number {
  const transport = [400, 405, 408, 413, 421, 503];
  return transport.includes(status) || code === NO_SUCH_ROUTE || code === 'core.cross_site' ? status : 200;
}

function rpcError(about: ErrorAbout, error: unknown, failure: Failure, said: ErrorTexts): object {
  const { code, message, name, exceptionType } = odooErrorOf(error, failure);
  const data = {
    name,
    message: said.message,
    arguments: [said.title, said.message],
    ...(exceptionType ? { exception_type: exceptionType } : {}),
    code: failure.code,
    ...(Object.keys(failure.fields).length > 0 ? { fields: translateFields(about, error, failure.fields) } : {}),
    reference: about.reference,
    debug: forDeveloper(about, error, failure).stack,
  };
  return { jsonrpc: '2.0', id: about.rpcId ?? null, error: { code, message, data } };
}

/** The page of an error: an addon's template when there is one and it works, else one that needs nothing. */
async function errorPage(about: ErrorAbout, error: unknown, failure: Failure, said: ErrorTexts): Promise<string> {
  const { info } = about;
  const reference = failure.ours ? about.reference : null;
  const { text, stack } = forDeveloper(about, error, failure);
  if (info && text === '') {
    try {
      const made = await templatePage(about.parts, info, failure, { ...said, reference });
      if (made !== null) return made;
    } catch (broken) {
      info.log.error({ err: broken, status: failure.status }, 'The error page itself failed; a plain one was shown');
    }
  }
  const plain = failure.code === NOT_READY ? notReadyTexts : plainTexts[failure.status];
  const fields = Object.entries(translateFields(about, error, failure.fields)).map(
    ([name, text]) => `${name}: ${text}`,
  );
  const texts = failure.ours || !info ? (plain?.texts ?? [said.message]) : [said.message, ...fields];
  const title = info && !failure.ours ? said.title : (plain?.title ?? said.title);
  return plainPage({
    lang: info?.address.lang.replace('_', '-') ?? 'en',
    title,
    texts,
    reference,
    details: stack ? `${text}\n\n${stack}` : text,
  });
}

/** `web.error_404` and its like, else `web.error`; null when there is neither. */
async function templatePage(
  { kernel, renderer }: HttpParts,
  info: RequestInfo,
  { status, code, fields }: Failure,
  said: ErrorTexts & { readonly reference: string | null },
): Promise<string | null> {
  const known = info.site.generation.get(templates);
  const template = [`web.error_${status}`, 'web.error'].find((id) => known.has(id));
  if (template === undefined) return null;
  return kernel.read(contextOptions(info, { session: noSession, label: 'error page' }), async (ctx) => {
    const view = new HandlerEffects(info).view();
    return renderer.fragment({ ctx, info, view, tracker: null }, template, { status, code, fields, ...said });
  });
}

/** The style that fits a request whose route is not known. */
export function styleOf(req: IncomingMessage): ErrorStyle {
  if (/^\s*application\/json(-rpc)?\b/i.test(req.headers['content-type'] ?? '')) return 'rpc';
  const { accept = '' } = req.headers;
  return accept.includes('application/json') && !accept.includes('text/html') ? 'json' : 'page';
}
