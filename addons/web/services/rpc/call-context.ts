import type { Ctx } from 'pergola';
import { type BoundModel, boundOf, models } from 'pergola/orm';
import { Currencies } from './currency.ts';

/** Supported options of a caller's `context`. All others are ignored, so that none can elevate rights. */
interface WireContext {
  /** Whether searches exclude inactive records. */
  readonly activeTest: boolean;
  /** Whether files are returned as their size. */
  readonly binSize: boolean;
}

/** A running call. */
export interface Call {
  readonly bound: BoundModel;
  readonly context: WireContext;
  readonly currencies: Currencies;
  /** Total size of the files returned so far, in bytes. */
  fileBytes: number;
}

/** Starts a call on a model, in the language and time zone of its context. */
export function startCall(ctx: Ctx, model: string, context: unknown): Call {
  return {
    bound: boundOf(ctx.get(models).bind(contextFor(ctx, context), model)),
    context: {
      activeTest: ownProperty(context, 'active_test') !== false,
      binSize: ownProperty(context, 'bin_size') === true,
    },
    currencies: new Currencies(),
    fileBytes: 0,
  };
}

/** Returns the same call on a related model, such as that of lines or targets. */
export function onModel(call: Call, bound: BoundModel): Call {
  return { ...call, bound };
}

/** Returns the context in the language and time zone of a caller's `context`, as far as the site supports them. */
export function contextFor(ctx: Ctx, context: unknown): Ctx {
  const lang = ownProperty(context, 'lang');
  const timezone = ownProperty(context, 'tz');
  const changes = {
    ...(typeof lang === 'string' && ctx.get(models).languages.includes(lang) ? { lang } : {}),
    ...(typeof timezone === 'string' && isZone(timezone) ? { timezone } : {}),
  };
  return Object.keys(changes).length > 0 ? ctx.as(changes) : ctx;
}

function ownProperty(context: unknown, name: string): unknown {
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
