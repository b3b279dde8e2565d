/** A moment of the wire, `2026-11-21 10:00:00` in UTC. */
export function momentOf(wire: unknown): Date | null {
  if (typeof wire !== 'string' || wire === '') return null;
  const date = new Date(`${wire.slice(0, 10)}T${wire.slice(11) || '00:00:00'}Z`);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The wire's text of a moment. */
export function wireMoment(date: Date): string {
  return date.toISOString().slice(0, 19).replace('T', ' ');
}

/** How many minutes a zone is ahead of UTC at a moment. */
function offsetAt(date: Date, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(date);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value ?? 0);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return Math.round((shown - Math.floor(date.getTime() / 1000) * 1000) / 60_000);
}

/** A moment as `<input type="datetime-local">` takes it, on the clocks of a zone. */
export function localInput(wire: unknown, timezone: string): string {
  const date = momentOf(wire);
  if (!date) return '';
  return new Date(date.getTime() + offsetAt(date, timezone) * 60_000).toISOString().slice(0, 16);
}

/** What somebody typed into such a field, as a moment of the wire; false for nothing. A time that clocks skip counts as the one after. */
export function fromLocalInput(text: string, timezone: string): string | false {
  if (!text) return false;
  const asUtc = new Date(`${text.length === 16 ? `${text}:00` : text}Z`);
  if (Number.isNaN(asUtc.getTime())) return false;
  const first = new Date(asUtc.getTime() - offsetAt(asUtc, timezone) * 60_000);
  return wireMoment(new Date(asUtc.getTime() - offsetAt(first, timezone) * 60_000));
}
