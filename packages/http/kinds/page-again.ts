import { noSession, PergolaError } from '@pergola/core';
import { errorFields, errorText } from '@pergola/texts';
import type { z } from 'zod';
import type { FormBody } from '../bodies/form-body.ts';
import { lastOf, shownFields } from '../bodies/form-values.ts';
import { refillForm } from '../pages/refill-form.ts';
import { routes } from '../points.ts';
import { contextOptions, makeRequestInfo, type RequestInfo } from '../request-info.ts';
import { Call } from '../routes/call.ts';
import { checkAccess } from '../routes/check-access.ts';
import { filledPath } from '../routes/params.ts';
import type { FormOptions, ParamSpec } from '../routes/route.ts';
import { CSRF_FIELD } from '../security/csrf.ts';
import { parseTarget } from '../target.ts';
import { readDeclaredQuery } from './kind.ts';
import { askFallbacks, type MakeReply, type PageCall, PageRender, runRoute, sendFilled } from './page.ts';

type PageOfForm = NonNullable<FormOptions<ParamSpec, z.ZodType, unknown>['page']>;

/** A post may redirect to its question, and that to its address with a slug. */
const MAX_REDIRECTS = 3;

/**
 * Shows the page of a rejected form again, with the submitted values and an error at each field: the page the form was sent from, or else
 * the page its route names.
 *
 * @returns whether a page was sent; false if no page visible to the visitor holds the form
 */
export async function showPageAgain(call: Call, sent: FormBody, failure: PergolaError): Promise<boolean> {
  for (const path of pagesOf(call, sent)) {
    const page = await renderPage(call, path, MAX_REDIRECTS);
    const body = page && refillForm(page.html, { ...(await textsOf(call, failure)), ...formIn(call, page.info, sent) });
    if (!page || !body) continue;
    await sendFilled({ ...page, parts: call.parts }, failure.status, page.headers, body, page.cookies);
    return true;
  }
  return false;
}

/** Paths of pages that may contain the form, most likely first. */
function pagesOf(call: Call, { fields }: FormBody): string[] {
  const { info, match, parts } = call;
  const from = URL.parse(String(info.req.headers.referer ?? ''));
  const referer = from?.origin === info.host.origin ? [from.pathname + from.search] : [];
  const page = call.option<PageOfForm>('page');
  if (page === undefined) return referer;
  const { [CSRF_FIELD]: _, ...values } = lastOf(fields);
  const formPage = typeof page === 'string' ? filledPath(page, match.params) : page({ params: match.params, values });
  return [...referer, parts.renderer.localize(info, formPage)];
}

function formIn({ info, parts }: Call, page: RequestInfo, { fields }: FormBody) {
  const ways = new Set([info.target.path, parts.renderer.localize(page, info.address.path)]);
  const isAction = (action: string): boolean => {
    const address = URL.parse(action, info.host.origin + page.target.path);
    return address?.origin === info.host.origin && ways.has(address.pathname);
  };
  return { isAction, sent: fields, visible: shownFields(fields) };
}

async function textsOf(call: Call, failure: PergolaError) {
  const options = contextOptions(call.info, { session: noSession, label: `${call.bound.route.name} (refused)` });
  return call.parts.application.read(options, async (ctx) => ({
    errors: errorFields(ctx, failure),
    message: errorText(ctx, failure),
  }));
}

interface RenderedAgain {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
}

/** Renders the page at a path for this visitor, or returns null if they can't see it. */
async function renderPage(call: Call, path: string, redirects: number): Promise<(PageCall & RenderedAgain) | null> {
  const { parts, res, state } = call;
  const target = parseTarget(path.replace(/#.*$/, ''));
  if (!target) return null;
  const info = await makeRequestInfo({ ...call.info, method: 'GET', target });
  const follow = (to: string) => (redirects > 0 ? renderPage(call, to, redirects - 1) : null);
  if (info.address.redirect) return follow(info.address.redirect.to);
  const match = info.site.generation.get(routes).match('GET', info.address.path);
  const pageCall: PageCall = { parts, info, res, ticket: state.ticket, match };
  try {
    const make = match ? await routePage(new Call(parts, info, match, res, state)) : askFallbacks(pageCall);
    if (!make) return null;
    const render = new PageRender(pageCall, make);
    const page = await render.page(null);
    if (render.plainReply?.kind === 'redirect') return follow(render.plainReply.to);
    if (render.isEmpty || render.plainReply) return null;
    const { cookies } = await render.extras();
    return { ...pageCall, html: page.parts.join(''), headers: page.headers, cookies };
  } catch (error) {
    if (error instanceof PergolaError && error.status < 500) return null;
    throw error;
  }
}

/** Handler that makes the page of a route, or null for other kinds of routes and for visitors who have to sign in first. */
async function routePage(call: Call): Promise<MakeReply | null> {
  if (call.bound.route.kind !== 'page' || checkAccess(call)) return null;
  call.read = await readDeclaredQuery(call);
  return runRoute(call);
}
