import type { IncomingMessage, ServerResponse } from 'node:http';
import { ControlSignal, type Ctx, type Generation, type InvalidInput, inAddon, type Tracker } from '@pergola/core';
import type { Intake } from '../bodies/intake.ts';
import type { EventStreams } from '../event-streams.ts';
import type { InFlight } from '../in-flight.ts';
import type { RouteCall } from '../kinds/kind.ts';
import type { LoadShedder, Ticket } from '../load-shedder.ts';
import type { Metrics } from '../metrics.ts';
import type { Renderer } from '../pages/render.ts';
import { setHeaders } from '../replies/send.ts';
import { addCookies, addressCookies } from '../replies/send-reply.ts';
import { contextOptions, inPageLang, type RequestInfo } from '../request-info.ts';
import type { RequestState } from '../request-state.ts';
import type { SiteEntry } from '../sites.ts';
import type { HttpApplication } from '../types.ts';
import { Attempts } from './attempts.ts';
import type { HandlerEffects } from './handler-effects.ts';
import { resolveParams } from './params.ts';
import type { RawQuery } from './query.ts';
import { type Reply, redirect } from './reply.ts';
import type { BaseInput } from './route.ts';
import type { BoundRoute, RouteMatch } from './route-table.ts';

/** Services shared by all requests of one server. */
export interface HttpParts {
  readonly application: HttpApplication;
  readonly renderer: Renderer;
  readonly intake: Intake;
  readonly loadShedder: LoadShedder;
  readonly metrics: Metrics;
  readonly inFlight: InFlight;
  readonly streams: EventStreams;
  readonly sites: (generation: Generation) => SiteEntry;
  /** Generates the id of a request. */
  readonly newId: () => string;
  /** Whether the server is shutting down. */
  readonly stopping: () => boolean;
}

/** Input of a request, parsed as its route declares it. */
export interface Read {
  /** Handler input specific to the kind of route. */
  readonly extras: Extras;
  /** Input for rate limits defined by a function. */
  readonly counted?: unknown;
  /** Validation error, if the route itself handles it. */
  readonly failure?: InvalidInput;
}

/** A request on its route. */
export class Call implements RouteCall {
  readonly parts: HttpParts;
  info: RequestInfo;
  readonly match: RouteMatch;
  readonly res: ServerResponse;
  readonly state: RequestState;
  readonly query: RawQuery;
  read: Read = { extras: {} };

  constructor(parts: HttpParts, info: RequestInfo, match: RouteMatch, res: ServerResponse, state: RequestState) {
    this.parts = parts;
    this.info = info;
    this.match = match;
    this.res = res;
    this.state = state;
    this.query = info.target.parameters;
  }

  /** Switches to the page language named by the call, if the site has it. */
  answerIn(pageLang: string): void {
    this.info = inPageLang(this.info, pageLang);
    this.state.info = this.info;
  }

  get req(): IncomingMessage {
    return this.info.req;
  }

  get ticket(): Ticket {
    return this.state.ticket;
  }

  get bound(): BoundRoute {
    return this.match.bound;
  }

  option<T>(name: string): T | undefined {
    return this.bound.route.options[name] as T | undefined;
  }

  async run(): Promise<unknown> {
    const { value, effects, cookies } = await runHandler(this);
    setHeaders(this.res, Object.fromEntries(effects.headers));
    addCookies(this.res, [...addressCookies(this.info), ...cookies]);
    return value;
  }
}

/** Return value of a handler, and its side effects. */
export interface Handled {
  readonly value: unknown;
  readonly effects: HandlerEffects;
  readonly cookies: readonly string[];
}

export type Extras = Readonly<Record<string, unknown>>;
type Prepare = (input: object) => Promise<unknown>;

/** Thrown for a GET with an outdated slug, from within the work that detects it. */
export class RedirectSignal extends ControlSignal {
  override readonly name = 'RedirectSignal';
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('The record has another address.');
    this.reply = reply;
  }
}

/**
 * Runs the handler of a route: first `prepare`, outside the transaction, then the handler, reading from the pool or writing in one
 * transaction, which may be retried. Session and cookies take effect after the commit.
 */
export async function runHandler(call: Call, extras: Extras = call.read.extras): Promise<Handled> {
  const { parts, info, bound } = call;
  const { name } = bound.route;
  const prepared = await prepare(call, extras);
  const writes = await doesWrite(call, { ...extras, prepared });
  const attempts = new Attempts(info);
  const options = contextOptions(info, { session: attempts.session, label: name });
  const work = async (ctx: Ctx): Promise<unknown> => {
    const effects = attempts.begin();
    const input = await inputOf(call, ctx, effects);
    return bound.run({ ...input, ...extras, prepared, renderFragment: fragmentOf(call, ctx, effects) });
  };
  const value = writes ? await parts.application.write(options, work) : await parts.application.read(options, work);
  const isSeen = writes && call.option('beacon') !== true;
  return { value, effects: attempts.effects, cookies: await attempts.finish(parts.application, isSeen) };
}

/** Renders markup in the handler's context, since it may read rows just written by the handler. */
function fragmentOf({ parts, info }: Call, ctx: Ctx, effects: HandlerEffects) {
  return (template: string, values: object = {}, { lang }: { lang?: string } = {}): Promise<string> =>
    parts.renderer.fragment(
      { ctx: lang ? ctx.as({ lang }) : ctx, info, view: effects.view(), tracker: null },
      template,
      values,
    );
}

async function prepare(call: Call, extras: Extras): Promise<unknown> {
  const prepareFirst = call.option<Prepare>('prepare');
  return prepareFirst && runBefore(call, { ...extras, prepared: undefined }, prepareFirst);
}

/** Whether this call runs in a transaction: by its route, or by the route's function for each call. */
async function doesWrite(call: Call, extras: Extras): Promise<boolean> {
  const writes = call.option<boolean | ((input: object) => boolean)>('writes') ?? false;
  return typeof writes === 'function' ? runBefore(call, extras, async (input) => writes(input)) : writes;
}

/** Runs a part of a route before its handler, on the read pool. Changes to session and cookies are discarded. */
function runBefore<T>(call: Call, extras: Extras, work: (input: object) => Promise<T>): Promise<T> {
  const attempts = new Attempts(call.info);
  const options = contextOptions(call.info, { session: attempts.session, label: `${call.bound.route.name} (prepare)` });
  return call.parts.application.read(options, async (ctx) => {
    const input = await inputOf(call, ctx, attempts.effects);
    return inAddon(call.bound.addon, () => work({ ...input, ...extras }));
  });
}

/**
 * Handler input shared by all kinds of routes.
 *
 * @throws NotFound for records missing or hidden from the caller, RedirectSignal for a GET with an outdated slug, except of
 * events: a stream has no address that people see, and its record may be renamed while it is open.
 */
export async function inputOf(
  call: Call,
  ctx: Ctx,
  effects: HandlerEffects,
  tracker: Tracker | null = null,
): Promise<BaseInput<Record<never, never>>> {
  const { info, match } = call;
  const { path } = info.address;
  const params = await resolveParams(ctx, match, path);
  const redirects = ['GET', 'HEAD'].includes(info.method) && !call.bound.route.handling.isStream;
  if (params.rightPath !== null && redirects)
    throw new RedirectSignal(redirect(visitedAs(info, params.rightPath), 301));
  return {
    ctx,
    params: params.values,
    request: effects.view(tracker),
    render: renderReply,
    url: (local: string) => call.parts.renderer.localize(info, local),
  };
}

/** Page reply, rendered after the handler has finished. */
export function renderReply(template: string, values: object = {}, options: { status?: number } = {}): Reply {
  return { kind: 'page', template, values, status: options.status ?? 200 };
}

/** A routed path as requested by this visitor: with the language prefix and the query. */
function visitedAs({ target, address, site, state, attributes }: RequestInfo, path: string): string {
  const query = target.query === '' ? '' : `?${target.query}`;
  const bare = target.path.replace(/(?<=.)\/+$/, '');
  const prefix = bare.endsWith(address.path) ? bare.slice(0, -address.path.length) : null;
  return (prefix === null ? site.localize(state, path, address.lang, attributes) : prefix + path) + query;
}
