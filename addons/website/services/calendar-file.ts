import type { ICalCalendar } from 'ical-generator';
import { type Reply, reply } from 'pergola';

/** Invalid line endings and control characters in iCalendar. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
const impossible = /\r(?!\n)|(?<!\r)\n|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Calendar as an iCalendar download. Line breaks in texts can't inject lines. */
export function calendarReply(calendar: ICalCalendar, name: string): Reply {
  // The only text that the library doesn't escape.
  calendar.name(calendar.name()?.replace(/[\r\n]+/g, ' ') ?? null);
  // The library omits the final line ending.
  return reply.body(`${calendar.toString().replace(impossible, ' ')}\r\n`, 'text/calendar; charset=utf-8', {
    'content-disposition': `attachment; filename="${name}.ics"`,
  });
}
