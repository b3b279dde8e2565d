import { publicMethod } from '@pergola/web';
import { defineAddon, z } from 'pergola';
import { blockRoutes, blocks, entries } from './blocks/index.ts';
import { socialSources } from './blocks/social.ts';
import { consequences } from './consequences.ts';
import { refreshWeather } from './jobs/refresh-weather.ts';
import { sendCallUps } from './jobs/send-callups.ts';
import { callUpMail } from './mails/callup.ts';
import { Advert } from './models/club-advert.ts';
import { Category } from './models/club-category.ts';
import { Competition } from './models/club-competition.ts';
import { CompetitionAdjustment } from './models/club-competition-adjustment.ts';
import { CompetitionRule } from './models/club-competition-rule.ts';
import { Convocation } from './models/club-convocation.ts';
import { ConvocationLine } from './models/club-convocation-line.ts';
import { Guardian } from './models/club-guardian.ts';
import { Match } from './models/club-match.ts';
import { Member } from './models/club-member.ts';
import { Season } from './models/club-season.ts';
import { ownTeams, Team, teamCrests } from './models/club-team.ts';
import { Venue } from './models/club-venue.ts';
import { Wall } from './models/club-wall.ts';
import { WallPost } from './models/club-wall-post.ts';
import { WeatherReport } from './models/club-weather.ts';
import { callRoutes } from './routes/calls.ts';
import { callUpRoutes } from './routes/callups.ts';
import { importRoutes } from './routes/import.ts';
import { matchRoutes } from './routes/matches.ts';
import { resultRoutes } from './routes/results.ts';
import { teamRoutes } from './routes/teams.ts';
import { wallRoutes } from './routes/wall.ts';
import { groups, lists, rules } from './security.ts';
import { CallUpMails } from './services/callup-mails.ts';
import { CallUps } from './services/callups.ts';
import { Fixtures } from './services/fixtures.ts';
import { LeagueTables } from './services/league-tables.ts';
import { MatchResults } from './services/match-results.ts';
import { Matches, nextMatches, shownTeams } from './services/matches.ts';
import { Walls } from './services/walls.ts';
import { WeatherClient } from './services/weather/client.ts';
import { WeatherReports } from './services/weather/reports.ts';
import { browserKeySetting, citySetting, weatherKeySetting, weatherUrlSetting } from './settings.ts';
import { menus, views } from './views.ts';

const noArgs = z.tuple([]);

export default defineAddon({
  name: 'dribblo',
  title: 'Football club',
  summary: 'Teams, matches, results, standings, call-ups and a wall',
  version: '1.2.0',
  category: 'Website',
  icon: 'trophy',
  depends: ['website', 'mail'],
  consequences,
  models: [
    Season,
    Category,
    Venue,
    Team,
    Member,
    Guardian,
    Competition,
    CompetitionRule,
    CompetitionAdjustment,
    Match,
    Convocation,
    ConvocationLine,
    Wall,
    WallPost,
    Advert,
    WeatherReport,
  ],
  services: [
    ownTeams.service,
    shownTeams.service,
    nextMatches.service,
    CallUpMails,
    CallUps,
    Fixtures,
    LeagueTables,
    MatchResults,
    Matches,
    Walls,
    WeatherClient,
    WeatherReports,
  ],
  routes: [matchRoutes, callRoutes, resultRoutes, importRoutes, callUpRoutes, teamRoutes, wallRoutes, blockRoutes],
  blocks,
  snippets: entries,
  cspSources: socialSources,
  publicPictures: teamCrests,
  pictureWriters: [(ctx) => ctx.get(Walls).isPosting()],
  groups,
  access: lists,
  rules,
  settings: [citySetting, weatherUrlSetting, weatherKeySetting, browserKeySetting],
  jobs: [sendCallUps, refreshWeather],
  mails: [callUpMail],
  views,
  menus,
  publicMethods: [
    publicMethod(Convocation, 'send_callups', { right: 'write', writes: true, mails: true, args: noArgs }),
    publicMethod(Convocation, 'remind', { right: 'write', writes: true, mails: true, args: noArgs }),
    publicMethod(Convocation, 'call_team', { right: 'write', writes: true, args: noArgs }),
  ],
});
