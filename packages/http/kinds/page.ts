import type { ServerResponse } from 'node:http';
import type { Ctx, Tracker } from '@pergola/core';
import { CACHE_HEADER, type KeptPage, type PageQuestion, type RenderedPage } from '@pergola/page-cache';
import type { Ticket } from '../load-shedder.ts';
import { sendReady, setHeaders } from '../replies/send.ts';
import { addCookies, addressCookies, type PlainReply, sendReply, timingOf } from '../replies/send-reply.ts';
import { contextOptions, mayBeKept, pageQuestion, type RequestInfo } from '../request-info.ts';
import { Attempts } from '../routes/attempts.ts';
import { type Call, type HttpParts, inputOf, RedirectSignal, renderReply } from '../routes/call.ts';
import type { HandlerEffects } from '../routes/handler-effects.ts';
import type { Reply } from '../routes/reply.ts';
import type { RouteMatch } from '../routes/route-table.ts';
import type { Kind } from './kind.ts';

/** Makes a page with a route's handler or the fallbacks. Returns null if none of them has one. */
export type MakeReply = (ctx: Ctx, effects: HandlerEffects, tracker: Tracker | null) => Promise<Reply | null>;

/** A request for a page; `match` is null if no route matches the path. */
export interface PageCall {
  readonly parts: HttpParts;
  readonly info: RequestInfo;
  readonly res: ServerResponse;
  readonly ticket: Ticket;
  readonly match: RouteMatch | null;
}

/** Pages: from the page cache, or from their handlers and then cached if possible. */
export const pages: Kind = {
  name: 'page',
  methods: ['GET'],
  forVisitors: true,
  isKept: true,
  async answer(call) {
    await answerWithPage(call, runRoute(call));
  },
};

/** Runs the handler of a page's route. */
export function runRoute(call: Call): MakeReply {
  return async (ctx, effects, tracker) => {
    const input = await inputOf(call, ctx, effects, tracker);
    return (await call.bound.run({ ...input, ...call.read.extras })) as Reply;
  };
}

/** Sends the cached page, or the one `make` returns. Returns false without sending anything if there is neither. */
export async function answerWithPage(call: PageCall, make: MakeReply): Promise<boolean> {
  const { pageCache } = call.parts.application;
  const question = questionOf(call);
  const cachedPage = question ? pageCache.lookup(question) : null;
  if (question && cachedPage) {
    await sendKept(call, question, cachedPage);
    return true;
  }
  const render = new PageRender(call, make);
  const page = question ? await pageCache.render(question, (tracker) => render.page(tracker)) : await render.page(null);
  if (render.isEmpty) return false;
  if (call.parts.application.config.dev) call.res.setHeader(CACHE_HEADER, cacheStatus(call, question));
  if (render.plainReply) await sendReply(call, render.plainReply, await render.extras());
  else await sendRendered(call, page, render);
  return true;
}

/** Names the template of a page, for developers who want to patch it. */
const TEMPLATE_HEADER = 'X-Pergola-Template';

/** Reason why a page isn't served from the cache, for developers. */
function cacheStatus({ parts }: PageCall, question: PageQuestion | null): string {
  if (question === null) return 'made: its route is never kept, or its query does not fit';
  if (question.undeclared) return 'made: its query is not declared, unless the page never reads its whole address';
  const reason = parts.application.pageCache.explain(question);
  return reason === null
    ? 'made, and kept unless it has changed already'
    : `made: ${reason}`.replace(/[^\x20-\x7e]/g, '?');
}

/** Cache key of the page, or null if the page isn't cached. */
function questionOf({ info, match }: PageCall): PageQuestion | null {
  if (!mayBeKept(match?.bound ?? null)) return null;
  const { site, identity, host, cookies, session, target } = info;
  const asking = { generation: site.generation, located: info, identity, origin: host.origin, cookies, target };
  return pageQuestion({ ...asking, session: session.exists }, match);
}

/** Calls the fallbacks, in addon order, for a page at a path without a route. */
export function askFallbacks({ parts, info }: Pick<PageCall, 'parts' | 'info'>): MakeReply {
  return async (ctx, effects, tracker) => {
    const url = (path: string): string => parts.renderer.localize(info, path);
    const input = { ctx, params: {}, query: {}, request: effects.view(tracker), render: renderReply, url };
    for (const { handler } of info.site.fallbacks) {
      const reply = await handler(input);
      if (reply) return reply;
    }
    return null;
  };
}

/** One run of a handler that makes a page. Unused if another visitor's run supplied the page. */
export class PageRender {
  isEmpty = false;
  /** The reply if it isn't a page. */
  plainReply: PlainReply | null = null;
  readonly #call: PageCall;
  readonly #make: MakeReply;
  readonly #attempts: Attempts;

  constructor(call: PageCall, make: MakeReply) {
    this.#call = call;
    this.#make = make;
    this.#attempts = new Attempts(call.info);
  }

  async extras(): Promise<{ cookies: readonly string[]; headers: ReadonlyMap<string, string> }> {
    const cookies = await this.#attempts.finish(this.#call.parts.application, false);
    return { cookies, headers: this.#attempts.effects.headers };
  }

  page(tracker: Tracker | null): Promise<RenderedPage> {
    const { parts, info, match } = this.#call;
    const options = contextOptions(info, {
      session: this.#attempts.session,
      tracker,
      label: match?.bound.route.name,
    });
    return parts.application.read(options, async (ctx) => {
      const reply = await this.#reply(ctx, tracker);
      if (reply?.kind === 'page') return this.#rendered(ctx, reply, tracker);
      this.isEmpty = reply === null;
      this.plainReply = reply;
      return { parts: [''], holes: [], status: 0, headers: {}, keep: false };
    });
  }

  async #reply(ctx: Ctx, tracker: Tracker | null): Promise<Reply | null> {
    try {
      return await this.#make(ctx, this.#attempts.effects, tracker);
    } catch (error) {
      if (error instanceof RedirectSignal) return error.reply;
      throw error;
    }
  }

  async #rendered(ctx: Ctx, reply: Extract<Reply, { kind: 'page' }>, tracker: Tracker | null): Promise<RenderedPage> {
    const { parts, info } = this.#call;
    const { effects } = this.#attempts;
    const rendering = { ctx, info, view: effects.view(tracker), tracker };
    const cut = await parts.renderer.page(rendering, reply.template, reply.values);
    const page = tracker ? cut : { parts: [await parts.renderer.fill(rendering, cut)], holes: [] };
    const headers = {
      ...parts.application.guards.securityHeaders('page', info.site.generation),
      'content-type': 'text/html; charset=utf-8',
      ...(parts.application.config.dev && { [TEMPLATE_HEADER]: reply.template }),
      ...flat(reply.headers),
      ...Object.fromEntries(effects.headers),
    };
    return { ...page, status: reply.status, headers, keep: reply.status === 200 && effects.cookies.length === 0 };
  }
}

async function sendRendered(call: PageCall, page: RenderedPage, render: PageRender): Promise<void> {
  const { cookies } = await render.extras();
  await sendFilled(call, page.status, page.headers, await fillHoles(call, page), cookies);
}

async function sendKept(call: PageCall, question: PageQuestion, cachedPage: KeptPage): Promise<void> {
  const { info, res, parts } = call;
  const { pageCache } = parts.application;
  if (cachedPage.holes.length === 0) {
    addCookies(res, addressCookies(info));
    pageCache.send(info.req, res, cachedPage);
    return;
  }
  const page = { parts: cachedPage.parts.map(String), holes: cachedPage.holes };
  const fill = async (tracker: Tracker | null): Promise<RenderedPage> => {
    const html = await fillHoles(call, page, tracker);
    return { parts: [html], holes: [], status: cachedPage.status, headers: cachedPage.headers, keep: true };
  };
  const { parts: filled } = question.session ? await fill(null) : await pageCache.fill(question, fill);
  await sendFilled(call, cachedPage.status, cachedPage.headers, filled.join(''), []);
}

/** The page for this visitor; with a tracker, the page for all visitors without a session. */
async function fillHoles(
  { parts, info }: PageCall,
  page: Pick<RenderedPage, 'parts' | 'holes'>,
  tracker: Tracker | null = null,
): Promise<string> {
  if (page.holes.length === 0) return page.parts.join('');
  const attempts = new Attempts(info);
  return parts.application.read(
    contextOptions(info, {
      session: attempts.session,
      tracker,
      label: 'fragments',
    }),
    (ctx) => parts.renderer.fill({ ctx, info, view: attempts.effects.view(tracker), tracker }, page),
  );
}

export async function sendFilled(
  { info, res }: PageCall,
  status: number,
  headers: RenderedPage['headers'],
  body: string,
  cookies: readonly string[],
): Promise<void> {
  setHeaders(res, headers);
  setHeaders(res, {
    ...timingOf(info),
    'cache-control': info.session.exists ? 'no-store' : 'private, no-cache',
    vary: 'Cookie',
  });
  addCookies(res, [...addressCookies(info), ...cookies]);
  await sendReady(info.req, res, { status, headers: { 'content-type': String(res.getHeader('content-type')) }, body });
}

function flat(headers: Readonly<Record<string, string | readonly string[]>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
