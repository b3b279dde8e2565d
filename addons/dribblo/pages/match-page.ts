import { localizePath } from '@pergola/website';
import type { Ctx } from 'pergola';
import { countdownToMatch } from '../blocks/countdown.ts';
import { SCORE_KEEPER } from '../security.ts';
import { CallUps } from '../services/callups.ts';
import { endOf, type MatchView } from '../services/matches.ts';
import { t } from '../texts.ts';

/** Match page. `origin` is used in structured data. */
export async function matchPage(ctx: Ctx, match: MatchView, origin: string) {
  const title = `${match.receiver.name} – ${match.visitor.name}`;
  return {
    match,
    callups: await ctx.get(CallUps).published({ match: match.id }),
    countdown: countdownToMatch(ctx, match),
    mayScore: ctx.has(SCORE_KEEPER),
    seo: {
      title,
      description: [match.competition, match.phase, match.venue].filter((part) => part !== '').join(' · '),
      type: 'event',
      canonical: match.href,
      breadcrumbs: [
        { name: t(ctx, 'Matches'), url: '/matchs' },
        { name: title, url: match.href },
      ],
      jsonLd: [eventOf(ctx, match, origin)],
    },
  };
}

const schemaState: Readonly<Record<MatchView['state'], string>> = {
  planned: 'EventScheduled',
  played: 'EventScheduled',
  forfeit: 'EventScheduled',
  postponed: 'EventPostponed',
  cancelled: 'EventCancelled',
};

/** The match as schema.org JSON-LD. */
function eventOf(ctx: Ctx, match: MatchView, origin: string): object {
  const team = ({ name, image }: MatchView['receiver']) => ({ '@type': 'SportsTeam', name, logo: origin + image });
  const place = match.venue || match.city || match.receiver.name;
  return {
    '@type': 'SportsEvent',
    name: `${match.receiver.name} – ${match.visitor.name}`,
    sport: 'Football',
    url: origin + localizePath(ctx.attributes.website, match.href, ctx.lang),
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
    organizer: { '@type': 'Organization', name: ctx.attributes.website?.name ?? '', url: `${origin}/` },
  };
}
