import { app, type Ctx } from 'pergola';
import { zoneName } from 'pergola/zones';
import { t } from '../texts.ts';

/** Formats a time with its zone, `4:22 PM (Paris time)`; in the reader's zone unless another one is given. */
export function zonedTime(
  ctx: Ctx,
  moment: Date,
  style: 'time' | 'medium' = 'time',
  zone: string = ctx.timezone,
): string {
  return `${ctx.get(app.formats).formatDateTime(moment, zone, ctx.lang, style)} (${zoneName(zone, (text, params) => t(ctx, text, params))})`;
}
