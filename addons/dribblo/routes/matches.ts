import { calendarReply, localizePath, originOf } from '@pergola/website';
import { app, type Ctx, route, z } from 'pergola';
import { zoneName } from 'pergola/zones';
import { Match } from '../models/club-match.ts';
import { matchPage } from '../pages/match-page.ts';
import { matchesPage } from '../pages/matches-page.ts';
import { endOf, Matches } from '../services/matches.ts';
import { weekOfAddress } from '../services/week.ts';
import { t } from '../texts.ts';
import { recordId } from './inputs.ts';

const maybe = recordId.optional().catch(undefined);

/** `/matchs?week=1`: matches of a week, filtered by player or category. Works without JavaScript. */
const weekPage = route.page(
  '/matchs',
  {
    name: 'dribblo.matches',
    sitemap: true,
    query: z.object({
      week: weekOfAddress.default(0),
      team: maybe,
      categ: maybe,
      player: maybe,
      name: z.string().max(100).optional(),
    }),
  },
  async ({ ctx, query, render }) => render('dribblo.matches_page', await matchesPage(ctx, query)),
);

/** `/matchs/12`: match page. */
const page = route.page(
  '/matchs/:mnbr(^\\d{1,9}$)',
  {
    name: 'dribblo.match',
    params: { mnbr: recordId },
    sitemap: {
      model: Match,
      async entries(ctx, ids) {
        const rows = await ctx.model(Match).find([...ids], { select: { mnbr: true, write_date: true } });
        return rows.map(({ mnbr, write_date }) => ({ path: `/matchs/${mnbr}`, lastmod: write_date }));
      },
    },
  },
  async ({ ctx, params, render, request }) => {
    const match = await ctx.get(Matches).byNumber(params.mnbr);
    return render('dribblo.match_page', await matchPage(ctx, match, request.origin));
  },
);

/** `/matchs/12/calendar.ics`: calendar file of a match. */
const calendarFile = route.http(
  '/matchs/:mnbr(^\\d{1,9}$)/calendar.ics',
  { name: 'dribblo.match_calendar', method: 'GET', params: { mnbr: recordId }, multilang: true },
  async ({ ctx, params }) => {
    const match = await ctx.get(Matches).byNumber(params.mnbr);
    // A higher sequence makes calendars update their existing entry.
    const { write_date, calendar_sequence } = await ctx
      .model(Match)
      .get(match.id, { select: { write_date: true, calendar_sequence: true } });
    const origin = originOf(ctx, ctx.attributes.website);
    // Loaded on first use.
    const { default: ical, ICalEventStatus } = await import('ical-generator');
    const { CANCELLED, CONFIRMED, TENTATIVE } = ICalEventStatus;
    const calendar = ical({
      name: ctx.attributes.website?.name ?? 'Football',
      prodId: { company: 'Pergola', product: 'dribblo' },
    });
    calendar.createEvent({
      id: `match-${match.mnbr}@${new URL(origin).hostname}`,
      sequence: calendar_sequence ?? 0,
      stamp: write_date,
      lastModified: write_date,
      start: match.start,
      end: endOf(match),
      summary: `${match.receiver.name} – ${match.visitor.name}`,
      description: [venueTime(ctx, match.start), match.competition, match.phase, match.stateLabel]
        .filter((part) => part !== '')
        .join('\n'),
      location: [match.venue, match.city].filter((part) => part !== '').join(', '),
      url: origin + localizePath(ctx.attributes.website, match.href, ctx.lang),
      status: match.cancelled ? CANCELLED : match.postponed ? TENTATIVE : CONFIRMED,
    });
    return calendarReply(calendar, `match-${match.mnbr}`);
  },
);

/** Kick-off in the club's time zone; calendars show it in the reader's. */
function venueTime(ctx: Ctx, start: Date): string {
  const format = ctx.get(app.formats).dateFormat(ctx.siteTimezone, ctx.lang, { dateStyle: 'full', timeStyle: 'short' });
  return `${format.format(start)} (${zoneName(ctx.siteTimezone, (text, params) => t(ctx, text, params))})`;
}

export const matchRoutes = [weekPage, page, calendarFile];
