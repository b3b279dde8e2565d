import { app, type Ctx } from '#core';

/** The part of a zone's name that people know: `Los Angeles`. */
export function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** Whose clocks a time is by: `Detroit time`. */
export function zoneText(ctx: Ctx, zone: string): string {
  // Cities that other languages write differently; Intl names only the country or region of such a zone.
  const named: Record<string, string> = {
    'Europe/Brussels': ctx.t('Brussels time'),
    'Europe/London': ctx.t('London time'),
  };
  const city = cityOf(zone);
  return named[zone] ?? (city === 'UTC' || city === 'GMT' ? city : ctx.t('{city} time', { city }));
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
