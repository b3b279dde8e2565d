import { block, type Ctx, momentAt, z } from '#core';
import { timeLeft } from '../islands/parts/time-left.ts';
import { Team } from '../models/club-team.ts';
import { Matches, type MatchView } from '../services/matches.ts';
import { t } from '../services/texts.ts';
import { clubZone } from '../services/week.ts';
import { entry, NEXT_DEFAULTS, ours, type Piece } from './kit.ts';

/** What a full round of each gauge stands for. */
export const GAUGES = { days: 365, hours: 24, minutes: 60, seconds: 60 } as const;

/** `31/12/2026 20:00`: day/month/year hour:minute. */
const pattern = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2})$/;

/** A moment as editors write it, in the club's zone; null for what is none. */
export function readMoment(text: string, zone: string): Date | null {
  const [, day = '', month = '', year = '', hour = '', minute = ''] = pattern.exec(text.trim()) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const known = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(known.getTime()) || !known.toISOString().startsWith(date)) return null;
  if (Number(hour) > 23 || Number(minute) > 59) return null;
  return momentAt(date, `${hour.padStart(2, '0')}:${minute}`, zone);
}

async function target(
  ctx: Ctx,
  until: string,
  team: number,
): Promise<{ at: Date; title: string; href: string } | null> {
  if (until !== '') {
    const at = readMoment(until, await clubZone(ctx));
    return at ? { at, title: '', href: '' } : null;
  }
  if (team !== 0) await ctx.model(Team).requireNamed([team]);
  const id = team === 0 ? (await ctx.model(Team).ours())[0] : team;
  // The match that the poster shows, also while it is being played.
  const [match] = id === undefined ? [] : await ctx.get(Matches).next([id], NEXT_DEFAULTS);
  if (!match) return null;
  return { at: match.start, title: `${match.receiver.name} – ${match.visitor.name}`, href: match.href };
}

const countdownBlock = block('dribblo.countdown', {
  label: 'Countdown',
  options: z.object({
    until: z
      .string()
      .max(20)
      .refine(
        (text) => text === '' || readMoment(text, 'UTC') !== null,
        'Write day/month/year hour:minute, 31/12/2026 20:00.',
      )
      .default('')
      .meta({ title: t('Until'), help: '31/12/2026 20:00' }),
    team: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({ title: t('Else until the next match of'), records: 'club.team', where: ours, none: t('Our first team') }),
    done: z
      .string()
      .max(200)
      .default('')
      .meta({ title: t('Text at the end') }),
  }),
  template: 'dribblo.countdown',
  load: async (ctx, { until, team, done }) => countdownTo(ctx, await target(ctx, until, team), done),
});

/** What the template needs to count down to a moment; `done` is shown at its end. */
function countdownTo(ctx: Ctx, end: { at: Date; title: string; href: string } | null, done = '') {
  const labels = { days: ctx.t('Days'), hours: ctx.t('Hours'), minutes: ctx.t('Minutes'), seconds: ctx.t('Seconds') };
  const units = ['days', 'hours', 'minutes', 'seconds'] as const;
  const gauges = units.map((unit) => ({ unit, full: GAUGES[unit], label: labels[unit] }));
  return { end, iso: end?.at.toISOString() ?? '', left: end && minutesLeft(ctx, end.at), done, gauges };
}

/** What is left in whole minutes; kept pages are made anew when the next one begins. */
function minutesLeft(ctx: Ctx, at: Date) {
  const { days, hours, minutes } = timeLeft(at.getTime() - ctx.now().getTime());
  const whole = (days * 24 + hours) * 60 + minutes;
  ctx.isPast(new Date(at.getTime() - (whole * 60 - 1) * 1000));
  return { days, hours, minutes };
}

/** The same to a match's kick-off; nothing once it has begun. */
export function countdownToMatch(ctx: Ctx, match: MatchView | null) {
  return match?.isComing ? countdownTo(ctx, { at: match.start, title: '', href: '' }) : null;
}

/** The time left until a moment, or until the next match. */
export const countdownPieces: Piece = {
  blocks: [countdownBlock],
  snippets: [entry('countdown', t('Countdown'))],
  routes: [],
};
