import type { ICalCalendar } from 'ical-generator';
import { type Reply, reply } from 'pergola';

/** Ends of lines that are none of the format, and what no line may hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about
const impossible = /\r(?!\n)|(?<!\r)\n|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** A calendar as a file to take along (iCalendar). Whatever its texts hold, none of it becomes a line of its own. */
export function calendarReply(calendar: ICalCalendar, name: string): Reply {
  // The one text that the library takes as it is.
  calendar.name(calendar.name()?.replace(/[\r\n]+/g, ' ') ?? null);
  // The library leaves the last line without its end.
  return reply.body(`${calendar.toString().replace(impossible, ' ')}\r\n`, 'text/calendar; charset=utf-8', {
    'content-disposition': `attachment; filename="${name}.ics"`,
  });
}
