import { isSameTime, zoneName } from '@pergola/browser';
import { escapeAttribute } from '@pergola/content';
import type { DateTimeStyle, Formats } from '@pergola/texts';
import type { RenderContext } from '../render-context.ts';

/** Stands for the site's zone in templates and field declarations. */
const SITE = '@site';

/** A datetime as text, with zone attributes for `<time>`. */
export interface ZonedTime {
  readonly text: string;
  /**
   * HTML attributes with which style sheets add the zone for visitors in other zones; empty if the text names the zone or doesn't need one.
   */
  readonly attributes: string;
}

/** Resolves a zone named by a template or field: `@site` is the site's. */
export function zoneFor(name: string, render: RenderContext): string {
  return name === SITE ? (render.siteTimezone ?? render.timezone) : name;
}

/**
 * A datetime in the zone of a place. Pages are the same for everyone, so the zone is named if it differs from the site's; otherwise style
 * sheets add it for visitors elsewhere. Emails always name it, as their reader's zone is unknown.
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
