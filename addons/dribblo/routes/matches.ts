import { calendarReply, localizePath, originOf } from '#addons/website';
import { type Ctx, type Id, NotFound, route, z } from '#core';
import { countdownTo } from '../blocks/countdown.ts';
import { Category } from '../models/club-category.ts';
import { Match } from '../models/club-match.ts';
import { SCORE_KEEPER } from '../security.ts';
import { callUps } from '../services/callups-view.ts';
import { MATCH_LENGTH, type MatchView, readMatches, viewOf } from '../services/match-view.ts';
import { suggestPlayers } from '../services/players.ts';
import { ourTeamChoices } from '../services/teams.ts';
import { weekMatches, weekView } from '../services/week-matches.ts';

const id = z.coerce.number().int().positive();
const maybe = id.optional().catch(undefined);

/** `/matchs?week=1`: the matches of a week, with the searches by player and category. Works without scripts. */
const weekPage = route.page(
  '/matchs',
  {
    name: 'dribblo.matches',
    sitemap: true,
    query: z.object({
      // What is no week is refused by the week itself, in words for people.
      week: z.coerce.number().optional().catch(Number.NaN),
      team: maybe,
      categ: maybe,
      player: maybe,
      name: z.string().max(100).optional(),
    }),
  },
  async ({ ctx, query, render }) => {
    const { week: offset = 0, team, categ, player, name = '' } = query;
    const found = name !== '' && player === undefined ? await suggestPlayers(ctx, name) : [];
    const chosen = player ?? (found.length === 1 ? found[0]?.id : undefined);
    const matches = await weekMatches(ctx, { week: offset, team, category: categ, player: chosen });
    return render('dribblo.matches_page', {
      ...weekView(ctx, matches, { team, categ, player: chosen, name }),
      suggestions: found.length > 1 ? found : [],
      name,
      nobody: name !== '' && found.length === 0 && player === undefined,
      categories: choices(await ctx.model(Category).find([], { select: { name: true } }), categ),
      teams: choices(await ourTeamChoices(ctx), team),
      isFiltered: team !== undefined || categ !== undefined || chosen !== undefined || name !== '',
      seo: { title: ctx.t('Matches'), canonical: '/matchs', noindex: offset !== 0 },
    });
  },
);

function choices(rows: readonly { readonly id: number; readonly name: string }[], chosen: number | undefined) {
  return rows.map(({ id: value, name }) => ({ value, name, chosen: value === chosen }));
}

/** A match by its number, ready for templates. @throws NotFound */
async function matchAt(ctx: Ctx, mnbr: number): Promise<MatchView> {
  const [row] = await readMatches(ctx, [['mnbr', '=', mnbr]], { limit: 1 });
  if (!row) throw new NotFound('There is no such match.', { code: 'dribblo.no_match' });
  return viewOf(ctx, row);
}

/** `/matchs/12`: everything about a match. */
const matchPage = route.page(
  '/matchs/:mnbr(^\\d{1,9}$)',
  {
    name: 'dribblo.match',
    params: { mnbr: id },
    sitemap: async (ctx) => {
      const rows = await ctx
        .model(Match)
        .find([], { select: { mnbr: true, write_date: true }, order: 'mnbr desc', limit: 5_000 });
      return rows.map(({ mnbr, write_date }) => ({ path: `/matchs/${mnbr}`, lastmod: write_date }));
    },
  },
  async ({ ctx, params, render, request }) => {
    const match = await matchAt(ctx, params.mnbr);
    const title = `${match.receiver.name} – ${match.visitor.name}`;
    return render('dribblo.match_page', {
      match,
      callups: await callUps(ctx, { match: match.id }),
      countdown: (await isComing(ctx, match.id)) ? countdownTo(ctx, { at: match.start, title: '', href: '' }) : null,
      mayScore: ctx.has(SCORE_KEEPER),
      seo: {
        title,
        description: [match.competition, match.phase, match.venue].filter((part) => part !== '').join(' · '),
        type: 'event',
        canonical: match.href,
        breadcrumbs: [
          { name: ctx.t('Matches'), url: '/matchs' },
          { name: title, url: match.href },
        ],
        jsonLd: [eventOf(ctx, match, request.origin)],
      },
    });
  },
);

/** Whether a match is still to come; asked of the database, so that a kept page is made anew at the kick-off. */
async function isComing(ctx: Ctx, match: Id): Promise<boolean> {
  const count = await ctx.model(Match).count([
    ['id', '=', match],
    ['state', '=', 'planned'],
    ['start_datetime', '>', ctx.now()],
  ]);
  return count > 0;
}

const schemaState: Readonly<Record<MatchView['state'], string>> = {
  planned: 'EventScheduled',
  played: 'EventScheduled',
  forfeit: 'EventScheduled',
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
};

/** The match in schema.org's words. */
function eventOf(ctx: Ctx, match: MatchView, origin: string): object {
  const team = ({ name, image }: MatchView['receiver']) => ({ '@type': 'SportsTeam', name, logo: origin + image });
  const place = match.venue || match.city || match.receiver.name;
  return {
    '@type': 'SportsEvent',
    name: `${match.receiver.name} – ${match.visitor.name}`,
    sport: 'Football',
    url: origin + localizePath(ctx.facts.website, match.href, ctx.lang),
    startDate: match.start.toISOString(),
    endDate: endOf(match).toISOString(),
    eventStatus: `https://schema.org/${schemaState[match.state]}`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    location: {
      '@type': 'Place',
      name: place,
      address: { '@type': 'PostalAddress', addressLocality: match.city || place },
    },
    image: [origin + match.receiver.image, origin + match.visitor.image],
    homeTeam: team(match.receiver),
    awayTeam: team(match.visitor),
    competitor: [team(match.receiver), team(match.visitor)],
    organizer: { '@type': 'Organization', name: ctx.facts.website?.name ?? '', url: `${origin}/` },
  };
}

function endOf({ start }: MatchView): Date {
  return new Date(start.getTime() + MATCH_LENGTH);
}

/** `/matchs/12/calendar.ics`: the match for calendars. */
const calendarFile = route.http(
  '/matchs/:mnbr(^\\d{1,9}$)/calendar.ics',
  { name: 'dribblo.match_calendar', method: 'GET', params: { mnbr: id }, multilang: true },
  async ({ ctx, params }) => {
    const match = await matchAt(ctx, params.mnbr);
    // Calendars that know the match already take the newer one.
    const { write_date } = await ctx.model(Match).get(match.id, { select: { write_date: true } });
    const origin = originOf(ctx, ctx.facts.website);
    // Loaded with the first file that is asked for.
    const { default: ical, ICalEventStatus } = await import('ical-generator');
    const { CANCELLED, CONFIRMED, TENTATIVE } = ICalEventStatus;
    const calendar = ical({
      name: ctx.facts.website?.name ?? 'Football',
      prodId: { company: 'Pergola', product: 'dribblo' },
    });
    calendar.createEvent({
      id: `match-${match.mnbr}@${new URL(origin).hostname}`,
      stamp: write_date,
      lastModified: write_date,
      start: match.start,
      end: endOf(match),
      summary: `${match.receiver.name} – ${match.visitor.name}`,
      description: [match.competition, match.phase, match.stateLabel].filter((part) => part !== '').join('\n'),
      location: [match.venue, match.city].filter((part) => part !== '').join(', '),
      url: origin + localizePath(ctx.facts.website, match.href, ctx.lang),
      status: match.cancelled ? CANCELLED : match.postponed ? TENTATIVE : CONFIRMED,
    });
    return calendarReply(calendar, `match-${match.mnbr}`);
  },
);

export const matchRoutes = [weekPage, matchPage, calendarFile];
