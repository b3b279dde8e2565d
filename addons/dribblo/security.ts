import { onWebsite, publishedRules } from '@pergola/website';
import { access, group, rule } from 'pergola';
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
import { Team } from './models/club-team.ts';
import { Venue } from './models/club-venue.ts';
import { Wall } from './models/club-wall.ts';
import { WallPost } from './models/club-wall-post.ts';
import { WeatherReport } from './models/club-weather.ts';

/** Manages teams, members, matches and call-ups. */
export const MANAGER = 'dribblo.group_club_manager';
/** Can only enter match results. */
export const SCORE_KEEPER = 'dribblo.group_score_keeper';
/** Writes, approves and deletes wall posts. */
export const WALL_MANAGER = 'dribblo.group_public_wall_manager';

export const groups = [
  group(WALL_MANAGER, { label: 'Wall manager', category: 'Football club' }),
  group(SCORE_KEEPER, { label: 'Scorekeeper', category: 'Football club' }),
  group(MANAGER, {
    label: 'Club manager',
    category: 'Football club',
    implies: ['base.group_user', WALL_MANAGER, SCORE_KEEPER],
    impliedBy: ['base.group_system'],
  }),
];

export const lists = [
  access(Season, { '*': 'r', [MANAGER]: 'rwcd' }),
  access(Category, { '*': 'r', [MANAGER]: 'rwcd' }),
  access(Venue, { '*': 'r', [MANAGER]: 'rwcd' }),
  access(Team, { '*': 'r', [MANAGER]: 'rwcd' }),
  access(Competition, { '*': 'r', [MANAGER]: 'rwcd' }),
  access(CompetitionRule, { '*': 'r', [MANAGER]: 'rwcd' }),
  access(CompetitionAdjustment, { '*': 'r', [MANAGER]: 'rwcd' }),
  access(Match, { '*': 'r', [MANAGER]: 'rwcd' }),
  // Members, most of them children, and call-up lines: visitors only see what the addon's services publish.
  access(Member, { [MANAGER]: 'rwcd' }),
  access(Guardian, { [MANAGER]: 'rwcd' }),
  access(Convocation, { '*': 'r', [MANAGER]: 'rwcd' }),
  access(ConvocationLine, { [MANAGER]: 'rwcd' }),
  access(Wall, { '*': 'r', [WALL_MANAGER]: 'rw', [MANAGER]: 'rwcd' }),
  access(WallPost, { '*': 'r', [WALL_MANAGER]: 'rwcd' }),
  access(Advert, { '*': 'r', [MANAGER]: 'rwcd' }),
  access(WeatherReport, { 'base.group_system': 'r' }),
];

export const rules = [
  ...publishedRules('dribblo.published_teams', Team, { websites: true }),
  ...publishedRules('dribblo.published_convocations', Convocation),
  ...publishedRules('dribblo.published_walls', Wall, { websites: true }),
  // Posts are visible if their wall is.
  rule('dribblo.published_posts', WallPost, {
    groups: ['base.group_public', 'base.group_portal', 'base.group_user'],
    operations: 'r',
    domain: (ctx) => [
      ['website_published', '=', true],
      ['wall_id.website_published', '=', true],
      ...wallsHere(ctx.attributes.website?.id),
    ],
  }),
  // Authors can see their own pending posts.
  rule('dribblo.own_posts', WallPost, {
    groups: ['base.group_portal', 'base.group_user'],
    operations: 'r',
    domain: (ctx) => [
      ['author_id', '!=', null],
      ['author_id', '=', ctx.user.partnerId ?? 0],
    ],
  }),
  rule('dribblo.all_posts', WallPost, { groups: [WALL_MANAGER], domain: () => [] }),
  rule('dribblo.all_walls', Wall, { groups: [WALL_MANAGER], domain: () => [] }),
  rule('dribblo.running_adverts', Advert, {
    groups: ['base.group_public', 'base.group_portal', 'base.group_user'],
    operations: 'r',
    domain: (ctx) => [['active', '=', true], ...onWebsite(ctx)],
  }),
  rule('dribblo.all_adverts', Advert, { groups: [MANAGER], domain: () => [] }),
];

function wallsHere(website: number | undefined) {
  if (website === undefined) return [] as const;
  return ['|', ['wall_id.website_id', '=', null], ['wall_id.website_id', '=', website]] as const;
}
