import { isSameTime, zoneName } from '@pergola/browser';
import { escapeAttribute } from '@pergola/content';
import type { DateTimeStyle, Formats } from '@pergola/texts';
import type { RenderContext } from '../render-context.ts';

/** In templates and declarations of fields: the zone of the site. */
const SITE = '@site';

/** A moment as text, with what `<time>` says about its zone. */
export interface ZonedTime {
  readonly text: string;
  /** HTML of the attributes that let the browser name the zone to visitors whose clocks differ; empty if the text names it or needs none. */
  readonly attributes: string;
}

/** The zone behind a name that a template or field gives: `@site` is the site's. */
export function zoneFor(name: string, render: RenderContext): string {
  return name === SITE ? (render.siteTimezone ?? render.timezone) : name;
}

/**
 * A moment on the clocks of a place. Pages are the same for everyone, so the zone is named if it differs from the site's, and the browser adds it for
 * visitors elsewhere. Mails always name it, as no one knows where they are read.
 */
export function zonedTime(
  moment: Date,
  zone: string,
  { render, formats, style }: { render: RenderContext; formats: Formats; style: DateTimeStyle | undefined },
): ZonedTime {
  const text = formats.formatDateTime(moment, zone, render.lang, style);
  const name = zoneName(zone, (source, params) => render.t(source, params));
  if (render.siteTimezone === null || !isSameTime(zone, render.siteTimezone, moment))
    return { text: `${text} (${name})`, attributes: '' };
  return { text, attributes: ` data-zone="${escapeAttribute(zone)}" data-zone-name="${escapeAttribute(name)}"` };
}
