const MINUTE = 60_000;

/** The moment when a clock in a zone shows this time on this day (`2026-11-21`, `18:30`). */
export function wallClock(day: string, time: string, timeZone: string): Date {
  const guess = new Date(`${day}T${time}:00Z`);
  // Where the clock is changed in between, the second look is the right one.
  const first = new Date(guess.getTime() - offset(guess, timeZone));
  return new Date(guess.getTime() - offset(first, timeZone));
}

/** Milliseconds that a zone's clocks are ahead of UTC at a moment. */
function offset(moment: Date, timeZone: string): number {
  const shown = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(moment)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(shown ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
}
