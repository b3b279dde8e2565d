import { app, type Ctx } from '#core';

/** The part of a zone's name that people know: `Los Angeles`. */
export function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** Whose clocks a time is by: `Detroit time`. */
export function zoneText(ctx: Ctx, zone: string): string {
  const city = cityOf(zone);
  return city === 'UTC' || city === 'GMT' ? city : ctx.t('{city} time', { city });
}

/** A time that cannot be misread, `4:22 PM (Paris time)`: by the clocks of the reader's page unless a zone is given. */
export function zonedTime(
  ctx: Ctx,
  moment: Date,
  style: 'time' | 'medium' = 'time',
  zone: string = ctx.timezone,
): string {
  return `${ctx.get(app.formats).formatDateTime(moment, zone, ctx.lang, style)} (${zoneText(ctx, zone)})`;
}
