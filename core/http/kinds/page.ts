import type { ServerResponse } from 'node:http';
import type { Ctx } from '../../context/context.ts';
import type { Tracker } from '../../context/tracker.ts';
import { type Call, Elsewhere, type HttpParts, inputOf } from '../call.ts';
import type { Stay } from '../gate.ts';
import { CACHE_HEADER, type KeptPage, type PageQuestion, type RenderedPage } from '../kernel-face.ts';
import type { Outcome } from '../outcome.ts';
import { readQuery } from '../query.ts';
import { takeRates } from '../rates.ts';
import type { Reply } from '../route.ts';
import type { RouteMatch } from '../route-table.ts';
import { addCookies, addressCookies, type PlainReply, sendReply } from '../send-reply.ts';
import { Tries } from '../tries.ts';
import { contextOptions, mayBeKept, pageQuestion, type Visit } from '../visit.ts';
import { sendReady, setHeaders } from '../wire.ts';

/** What makes a page: a route's handler, or the fallbacks. Null when none of them has an answer. */
export type MakeReply = (ctx: Ctx, outcome: Outcome, tracker: Tracker | null) => Promise<Reply | null>;

/** A visit to be answered with a page; `match` is null where no route knows the path. */
export interface PageCall {
  readonly parts: HttpParts;
  readonly visit: Visit;
  readonly res: ServerResponse;
  readonly stay: Stay;
  readonly match: RouteMatch | null;
}

/** Answers a page route: from the page cache, or by its handler, whose page is kept when nothing forbids it. */
export async function answerPage(call: Call): Promise<void> {
  await takeRates(call, 'before');
  const query = readQuery(call.query, call.option<Parameters<typeof readQuery>[1]>('query'));
  await takeRates(call, 'after', query);
  await answerWithPage(call, async (ctx, outcome, tracker) => {
    const input = await inputOf(call, ctx, outcome, tracker);
    return (await call.bound.run({ ...input, query })) as Reply;
  });
}

/** Answers with what is kept, or with what `make` answers; false, and nothing sent, when that is nothing. */
export async function answerWithPage(call: PageCall, make: MakeReply): Promise<boolean> {
  const { pageCache } = call.parts.kernel;
  const question = questionOf(call);
  const kept = question ? pageCache.lookup(question) : null;
  if (kept) {
    await sendKept(call, kept);
    return true;
  }
  const making = new Making(call, make);
  const page = question ? await pageCache.render(question, (tracker) => making.page(tracker)) : await making.page(null);
  if (making.nothing) return false;
  if (call.parts.kernel.config.dev) call.res.setHeader(CACHE_HEADER, whatBecame(call, question));
  if (making.other) await sendReply(call, making.other, await making.beside());
  else await sendRendered(call, page, making);
  return true;
}

/** Why a page is made anew each time, for developers. */
function whatBecame({ parts }: PageCall, question: PageQuestion | null): string {
  if (question === null) return 'made: its route is never kept, or its query is not declared';
  const reason = parts.kernel.pageCache.explain(question);
  return reason === null
    ? 'made, and kept unless it has changed already'
    : `made: ${reason}`.replace(/[^\x20-\x7e]/g, '?');
}

/** What the page is kept under; null for pages that are not kept. */
function questionOf({ visit, match }: PageCall): PageQuestion | null {
  if (!mayBeKept(match?.bound ?? null)) return null;
  const { site, identity, host, cookies, session, target } = visit;
  const asking = { generation: site.generation, located: visit, identity, origin: host.origin, cookies, target };
  return pageQuestion({ ...asking, session: session.exists }, match);
}

/** One run of a handler that makes a page. Where another visitor's run served, nothing of this is used. */
class Making {
  nothing = false;
  /** The answer, when it is no page. */
  other: PlainReply | null = null;
  readonly #call: PageCall;
  readonly #make: MakeReply;
  readonly #tries: Tries;

  constructor(call: PageCall, make: MakeReply) {
    this.#call = call;
    this.#make = make;
    this.#tries = new Tries(call.visit);
  }

  async beside(): Promise<{ cookies: readonly string[]; headers: ReadonlyMap<string, string> }> {
    const cookies = await this.#tries.finish(this.#call.parts.kernel, false);
    return { cookies, headers: this.#tries.outcome.headers };
  }

  page(tracker: Tracker | null): Promise<RenderedPage> {
    const { parts, visit, match } = this.#call;
    const options = contextOptions(visit, { session: this.#tries.session, tracker, label: match?.bound.route.name });
    return parts.kernel.read(options, async (ctx) => {
      const reply = await this.#reply(ctx, tracker);
      if (reply?.kind === 'page') return this.#rendered(ctx, reply, tracker);
      this.nothing = reply === null;
      this.other = reply;
      return { parts: [''], holes: [], status: 0, headers: {}, keep: false };
    });
  }

  async #reply(ctx: Ctx, tracker: Tracker | null): Promise<Reply | null> {
    try {
      return await this.#make(ctx, this.#tries.outcome, tracker);
    } catch (error) {
      if (error instanceof Elsewhere) return error.reply;
      throw error;
    }
  }

  async #rendered(ctx: Ctx, reply: Extract<Reply, { kind: 'page' }>, tracker: Tracker | null): Promise<RenderedPage> {
    const { parts, visit } = this.#call;
    const { outcome } = this.#tries;
    const about = { ctx, visit, view: outcome.view(tracker), tracker };
    const cut = await parts.renderer.page(about, reply.template, reply.values);
    const page = tracker ? cut : { parts: [await parts.renderer.fill(about, cut)], holes: [] };
    const headers = {
      ...parts.kernel.guards.securityHeaders('page', visit.site.generation),
      'content-type': 'text/html; charset=utf-8',
      ...flat(reply.headers),
      ...Object.fromEntries(outcome.headers),
    };
    return { ...page, status: reply.status, headers, keep: reply.status === 200 && outcome.cookies.length === 0 };
  }
}

async function sendRendered(call: PageCall, page: RenderedPage, making: Making): Promise<void> {
  const { cookies } = await making.beside();
  await sendFilled(call, page.status, page.headers, await fillHoles(call, page), cookies);
}

async function sendKept(call: PageCall, kept: KeptPage): Promise<void> {
  const { visit, res, parts } = call;
  if (kept.holes.length === 0) {
    addCookies(res, addressCookies(visit));
    parts.kernel.pageCache.send(visit.req, res, kept);
    return;
  }
  const page = { parts: kept.parts.map(String), holes: kept.holes };
  await sendFilled(call, kept.status, kept.headers, await fillHoles(call, page), []);
}

/** The page as this visitor gets it. What is filled in is read afresh, in a context that nothing is kept from. */
async function fillHoles({ parts, visit }: PageCall, page: Pick<RenderedPage, 'parts' | 'holes'>): Promise<string> {
  if (page.holes.length === 0) return page.parts.join('');
  const tries = new Tries(visit);
  return parts.kernel.read(contextOptions(visit, { session: tries.session, label: 'fragments' }), (ctx) =>
    parts.renderer.fill({ ctx, visit, view: tries.outcome.view(), tracker: null }, page),
  );
}

async function sendFilled(
  { visit, res }: PageCall,
  status: number,
  headers: RenderedPage['headers'],
  body: string,
  cookies: readonly string[],
): Promise<void> {
  setHeaders(res, headers);
  setHeaders(res, {
    'cache-control': visit.session.exists ? 'no-store' : 'private, no-cache',
    vary: 'Cookie',
  });
  addCookies(res, [...addressCookies(visit), ...cookies]);
  await sendReady(visit.req, res, { status, headers: { 'content-type': String(res.getHeader('content-type')) }, body });
}

function flat(headers: Readonly<Record<string, string | readonly string[]>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
