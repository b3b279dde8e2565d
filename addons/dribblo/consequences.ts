import { type Ctx, sentence } from 'pergola';
import type { Consequence } from 'pergola/kernel';
import { Match } from './models/club-match.ts';

/** Names shown of many. */
const NAMES = 20;

/** Matches to come, which players and parents look up. */
export async function consequences(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  if (!leaving.has('dribblo')) return [];
  const upcoming = [
    ['state', '=', 'planned'],
    ['start_datetime', '>=', ctx.now()],
  ] as const;
  const matches = ctx.model(Match);
  const named = await matches.find(upcoming, { select: { display_name: true }, limit: NAMES });
  return [
    {
      sentence: sentence('Upcoming matches that leave the website'),
      count: await matches.count(upcoming),
      names: named.map(({ display_name }) => display_name),
      stops: true,
    },
  ];
}
