import { pageLanguage, t } from 'pergola/browser';
import { deviceZone, isSameTime, zoneName } from 'pergola/zones';
import { fromLocalInput, localInput, momentOf, wireMoment } from '#addons/web/browser';

const barData = () => document.querySelector<HTMLElement>('[data-editor-bar]')?.dataset;

/** The zone in which the user sees moments, as in the backend; that of the device if the page doesn't say. */
export function userZone(): string {
  return barData()?.timezone || deviceZone();
}

/** The zone of the site, by which blocks take times that editors enter. */
export function siteZone(): string {
  return barData()?.siteTimezone || userZone();
}

/** A moment (ISO text or milliseconds) on the user's clocks, with their zone if the device shows another time. */
export function momentText(moment: string | number): string {
  const zone = userZone();
  const date = new Date(moment);
  const text = pageMoment(date, zone, 'medium');
  return isSameTime(zone, deviceZone(), date) ? text : `${text} (${zoneName(zone, t)})`;
}

/** A moment as pages write it, on the clocks of a zone. */
export function pageMoment(moment: Date, zone: string, dateStyle: 'medium' | 'long' = 'long'): string {
  return moment.toLocaleString(pageLanguage(), { dateStyle, timeStyle: 'short', timeZone: zone });
}

/** ISO text of a moment as `<input type="datetime-local">` takes it. */
export function inputMoment(iso: string | null, zone: string = userZone()): string {
  return iso === null ? '' : localInput(wireMoment(new Date(iso)), zone);
}

/** What was typed into such an input as ISO text; null for nothing. */
export function momentOfInput(text: string, zone: string = userZone()): string | null {
  return momentOf(fromLocalInput(text, zone))?.toISOString() ?? null;
}
