import { countdownTo } from '@pergola/website';
import { block, type Ctx, momentAt, z } from 'pergola';
import { Team } from '../models/club-team.ts';
import { Matches, type MatchView } from '../services/matches.ts';
import { mark } from '../texts.ts';
import { entry, NEXT_DEFAULTS, ownTeamsDomain, type Piece } from './kit.ts';

/** `31/12/2026 20:00`: day/month/year hour:minute. */
const pattern = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2})$/;

/** Parses a date entered by editors, in the club's time zone; null if it is invalid. */
export function readMoment(text: string, zone: string): Date | null {
  const [, day = '', month = '', year = '', hour = '', minute = ''] = pattern.exec(text.trim()) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const midnight = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return null;
  if (Number(hour) > 23 || Number(minute) > 59) return null;
  return momentAt(date, `${hour.padStart(2, '0')}:${minute}`, zone);
}

async function target(
  ctx: Ctx,
  until: string,
  team: number,
): Promise<{ at: Date; title: string; href: string } | null> {
  if (until !== '') {
    const moment = readMoment(until, ctx.siteTimezone);
    return moment ? { at: moment, title: '', href: '' } : null;
  }
  if (team !== 0) await ctx.model(Team).requireNamed([team]);
  const id = team === 0 ? (await ctx.model(Team).ours())[0] : team;
  // Same match as the poster, including one in progress.
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
        'Enter a date and time such as 31/12/2026 20:00.',
      )
      .default('')
      .meta({ title: mark('Until'), help: '31/12/2026 20:00' }),
    team: z
      .number()
      .int()
      .min(0)
      .default(0)
      .meta({
        title: mark('Otherwise, until the next match of'),
        records: 'club.team',
        where: ownTeamsDomain,
        none: mark('Our first team'),
      }),
    done: z
      .string()
      .max(200)
      .default('')
      .meta({ title: mark('Message at the end') }),
  }),
  template: 'dribblo.countdown',
  load: async (ctx, { until, team, done: expiredText }) => {
    const end = await target(ctx, until, team);
    return { end, countdown: end && countdownTo(ctx, end.at, expiredText) };
  },
});

/** Time until a match's kick-off; null once it has started. */
export function countdownToMatch(ctx: Ctx, match: MatchView | null) {
  return match?.isComing ? countdownTo(ctx, match.start) : null;
}

/** Countdown to a date, or to the next match. */
export const countdownPieces: Piece = {
  blocks: [countdownBlock],
  snippets: [entry('countdown', mark('Countdown'))],
  routes: [],
};
