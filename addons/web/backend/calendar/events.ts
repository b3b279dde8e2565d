import type { EventInput } from '@fullcalendar/react';
import { t } from 'pergola/browser';
import { zoneName } from 'pergola/zones';
import type { WireRecord } from '../lib/calls.ts';
import { isNamed } from '../lib/format.ts';
import { type Clocks, fromLocalInput, localInput, momentOf, needsZone, wireMoment, zoneOf } from '../lib/moments.ts';
import type { CalendarView, Domain, FieldInfo, ModelInfo } from '../types.ts';

/** Returns the local time of a moment in a zone, for a calendar that runs in UTC. */
export function clockOf(moment: Date, timezone: string): string {
  return `${localInput(wireMoment(moment), timezone)}:00Z`;
}

/** Converts a record to a calendar event. */
export function eventOf(
  record: WireRecord,
  { info, view, clocks }: { info: ModelInfo; view: CalendarView; clocks: Clocks },
  start: FieldInfo,
): EventInput {
  const zone = zoneOf(start, record, clocks);
  const isDay = start.kind === 'date' || (view.allDay !== null && record[view.allDay] === true);
  const startOf = (value: unknown): string | undefined => {
    if (typeof value !== 'string' || value === '') return undefined;
    return isDay ? value.slice(0, 10) : `${localInput(value, zone)}:00Z`;
  };
  const title = record[view.title];
  const end = view.end ? startOf(record[view.end]) : undefined;
  const color = view.color ? toneOf(record[view.color], info.fields[view.color]) : null;
  return {
    id: String(record.id),
    title: isNamed(title) ? title[1] : String(title || record.display_name),
    ...(isDay || !needsZone(zone, momentOf(record[view.start]) ?? new Date(), clocks)
      ? {}
      : { extendedProps: { zone: zoneName(zone, t) } }),
    start: startOf(record[view.start]) ?? '',
    end: start.kind === 'date' && end ? addDays(end, 1) : end,
    allDay: isDay,
    ...(color === null
      ? {}
      : { className: 'toned', color: shade('ground', color), contrastColor: shade('text', color) }),
  };
}

/** Number of tones; `calendar.event` picks from as many. */
const TONES = 24;

/** Returns the tone (from 1) of a record's colour field. Numbers are used as they are; choices and records get clearly different tones. */
function toneOf(value: unknown, field: FieldInfo | undefined): number | null {
  if (!field) return null;
  if (typeof value === 'number') return field.kind === 'integer' ? wrapped(value) : null;
  if (isNamed(value)) return wrapped(value[0] * 5);
  const place = field.selection.findIndex(([key]) => key === value);
  return place < 0 ? null : wrapped((place + 1) * 5);
}

function wrapped(tone: number): number {
  return ((((tone - 1) % TONES) + TONES) % TONES) + 1;
}

/**
 * Returns a colour of equal lightness for every hue, so text stays readable on all of them. `calendar.css` sets the lightness for light and
 * dark mode.
 */
function shade(part: 'ground' | 'text', tone: number): string {
  return `oklch(var(--calendar-${part}) var(--calendar-chroma) ${155 + (tone - 1) * (360 / TONES)}deg)`;
}

/** Converts a day or moment of the calendar to the field's wire format. */
export function wireOf(text: string, { kind }: FieldInfo, timezone: string): string {
  if (kind === 'date') return text.slice(0, 10);
  if (text.length <= 10) return `${text} 00:00:00`;
  return fromLocalInput(text.slice(0, 16), timezone) || `${text.slice(0, 10)} 00:00:00`;
}

/**
 * Returns the domain of records within the visible days (the last day excluded). Records without an end are matched by their start. For
 * records with their own time zones, the range is extended by a day on both sides.
 */
export function rangeDomain(
  view: CalendarView,
  { kind, timezoneField }: FieldInfo,
  range: { from: string; to: string },
  timezone: string,
): Domain {
  const margin = timezoneField === null ? 0 : 1;
  const edge = (day: string): string => (kind === 'date' ? day : fromLocalInput(`${day}T00:00`, timezone) || day);
  const [from, to] = [edge(addDays(range.from, -margin)), edge(addDays(range.to, margin))];
  const begins: Domain = ['&', [view.start, '>=', from], [view.start, '<', to]];
  if (!view.end) return begins;
  return ['|', ...begins, '&', [view.start, '<', to], [view.end, '>', from]];
}

/**
 * Returns the field values of a record after its event was moved. The calendar's end day is exclusive, the value of a date field inclusive.
 */
export function movedValues(
  event: { readonly startStr: string; readonly endStr: string; readonly allDay: boolean },
  {
    info,
    view,
    clocks,
    record,
  }: { info: ModelInfo; view: CalendarView; clocks: Clocks; record: Readonly<Record<string, unknown>> },
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const start = info.fields[view.start];
  const end = view.end ? info.fields[view.end] : undefined;
  if (start) values[start.name] = wireOf(event.startStr, start, zoneOf(start, record, clocks));
  if (end && event.endStr)
    values[end.name] =
      end.kind === 'date'
        ? addDays(event.endStr.slice(0, 10), -1)
        : wireOf(event.endStr, end, zoneOf(end, record, clocks));
  if (view.allDay && info.fields[view.allDay]?.readonly === false) values[view.allDay] = event.allDay;
  return values;
}

function addDays(day: string, step: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + step);
  return date.toISOString().slice(0, 10);
}
