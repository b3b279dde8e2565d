import { readFile } from 'node:fs/promises';
import {
  ASPECT_RATIO,
  colorOf,
  DAY_END,
  DAY_START,
  DEFAULT_LENGTH,
  DEFAULT_MINUTES,
  FIRST_HOUR,
  LONGEST_RANGE_DAYS,
  PALETTE,
  SHORT_MINUTES,
  SLOT,
  SNAP,
  showsPictures,
  VIEWS,
  WEEK_MODE,
} from '../calendar/constants.ts';
import { momentOf, wireTime } from '../calendar/wire-time.ts';

describe('The calendar', () => {
  it.each([
    ['its aspect ratio', ASPECT_RATIO, 1.8],
    ['the step in which times snap', SNAP, '00:15:00'],
    ['the length of a slot', SLOT, '00:30:00'],
    ['the length of events without an end', DEFAULT_LENGTH, '02:00:00'],
    ['the same in minutes', DEFAULT_MINUTES, 120],
    ['the hour that days are scrolled to', FIRST_HOUR, '06:00:00'],
    ['the first hour', DAY_START, '00:00:00'],
    ['the last hour', DAY_END, '24:00:00'],
    ['the names of its views', Object.keys(VIEWS), ['month', 'agendaWeek', 'agendaDay']],
    ['how the weeks of a month are laid out', WEEK_MODE, 'liquid'],
    ['the number of colours', PALETTE, 24],
    ['the most minutes without pictures', SHORT_MINUTES, 30],
    ['the longest range of a call', LONGEST_RANGE_DAYS, 400],
  ])('keeps to %s', (_name, value, specified) => {
    expect(value).toEqual(specified);
  });

  it.each([
    [0, 6],
    [1, 11],
    [4, 2],
    [23, 1],
    [24, 6],
  ])('gives the event after %i others colour %i', (count, color) => {
    expect(colorOf(count)).toBe(color);
  });

  it('uses every one of its colours, and each before any comes again', () => {
    expect(new Set(Array.from({ length: 24 }, (_, count) => colorOf(count))).size).toBe(24);
  });

  it.each([
    ['agendaDay', 30, false],
    ['agendaWeek', 15, false],
    ['agendaDay', 31, true],
    ['month', 30, true],
    ['month', 15, true],
  ])('in %s shows the pictures of who comes to an event of %i minutes: %s', (view, minutes, isShown) => {
    expect(showsPictures(view, minutes)).toBe(isShown);
  });

  it('has 24 colours in light and in dark on which text has a contrast of 4.5 or more', async () => {
    const css = await readFile(new URL('../calendar/browser/palette.css', import.meta.url), 'utf8');
    const themes = css.split('@media');
    expect(themes).toHaveLength(2);
    for (const theme of themes) {
      const value = (name: string): string => new RegExp(`--calendar-${name}: (#[0-9a-f]{6})`).exec(theme)?.[1] ?? '';
      for (let index = 1; index <= PALETTE; index++) {
        expect(contrast(value(`color-${index}`), value(`text-${index}`))).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it('writes moments as UTC and reads them back', () => {
    const moment = new Date('2026-11-21T09:30:15.250Z');
    expect(wireTime(moment)).toBe('2026-11-21 09:30:15');
    expect(momentOf('2026-11-21 09:30:15').toISOString()).toBe('2026-11-21T09:30:15.000Z');
  });
});

/** WCAG contrast of two colours. */
function contrast(first: string, second: string): number {
  const [low = 0, high = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((from) => {
    const part = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
