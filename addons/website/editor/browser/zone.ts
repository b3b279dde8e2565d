import { fromLocalInput, localInput, momentOf, wireMoment } from '@pergola/web/browser';
import { pageLanguage, t } from 'pergola/browser';
import { deviceZone, isSameTime, zoneName } from 'pergola/zones';

const barData = () => document.querySelector<HTMLElement>('[data-editor-bar]')?.dataset;

/** Time zone of the user, as in the backend; the device's zone if the page doesn't provide it. */
export function userZone(): string {
  return barData()?.timezone || deviceZone();
}

/** Time zone of the site, in which blocks interpret times entered by editors. */
export function siteZone(): string {
  return barData()?.siteTimezone || userZone();
}

/** Formats a moment (ISO text or milliseconds) in the user's zone, with the zone's name if the device's clock differs. */
export function momentText(moment: string | number): string {
  const zone = userZone();
  const date = new Date(moment);
  const text = pageMoment(date, zone, 'medium');
  return isSameTime(zone, deviceZone(), date) ? text : `${text} (${zoneName(zone, t)})`;
}

/** Formats a moment in a zone the way pages do. */
export function pageMoment(moment: Date, zone: string, dateStyle: 'medium' | 'long' = 'long'): string {
  return moment.toLocaleString(pageLanguage(), { dateStyle, timeStyle: 'short', timeZone: zone });
}

/** Converts ISO text for `<input type="datetime-local">`. */
export function inputMoment(iso: string | null, zone: string = userZone()): string {
  return iso === null ? '' : localInput(wireMoment(new Date(iso)), zone);
}

/** Converts the value of such an input to ISO text; null if empty. */
export function momentOfInput(text: string, zone: string = userZone()): string | null {
  return momentOf(fromLocalInput(text, zone))?.toISOString() ?? null;
}
