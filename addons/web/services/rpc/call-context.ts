import type { Ctx } from 'pergola';
import { type BoundModel, boundOf, models } from 'pergola/orm';
import { Currencies } from './currency.ts';

/** What a caller's `context` may say; everything else in it is passed over, so nothing in it lifts rights. */
interface WireContext {
  /** Inactive records are left out of searches. */
  readonly activeTest: boolean;
  /** Files are answered by their size. */
  readonly binSize: boolean;
}

/** A call under way. */
export interface Call {
  readonly bound: BoundModel;
  readonly context: WireContext;
  readonly currencies: Currencies;
  /** Bytes of files answered so far. */
  fileBytes: number;
}

/** The model for a call, in the language and time zone its context asks for. */
export function startCall(ctx: Ctx, model: string, context: unknown): Call {
  return {
    bound: boundOf(ctx.get(models).bind(contextFor(ctx, context), model)),
    context: { activeTest: own(context, 'active_test') !== false, binSize: own(context, 'bin_size') === true },
    currencies: new Currencies(),
    fileBytes: 0,
  };
}

/** The same call on another model: of lines, of targets. */
export function onModel(call: Call, bound: BoundModel): Call {
  return { ...call, bound };
}

/** The context in the language and time zone that a caller's `context` asks for, as far as the site has them. */
export function contextFor(ctx: Ctx, context: unknown): Ctx {
  const lang = own(context, 'lang');
  const timezone = own(context, 'tz');
  const changes = {
    ...(typeof lang === 'string' && ctx.get(models).languages.includes(lang) ? { lang } : {}),
    ...(typeof timezone === 'string' && isZone(timezone) ? { timezone } : {}),
  };
  return Object.keys(changes).length > 0 ? ctx.as(changes) : ctx;
}

function own(context: unknown, name: string): unknown {
  return typeof context === 'object' && context !== null && Object.hasOwn(context, name)
    ? Reflect.get(context, name)
    : undefined;
}

function isZone(name: string): boolean {
  try {
    return name.length < 64 && new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
