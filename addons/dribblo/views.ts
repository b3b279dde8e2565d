import { menu, view } from '@pergola/web';
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
import { MANAGER, SCORE_KEEPER, WALL_MANAGER } from './security.ts';
import { mark } from './texts.ts';

const matches = [
  view.list(Match, {
    columns: [
      { field: 'mnbr', widget: 'plain' },
      'start_datetime',
      'receiver_id',
      'visitor_id',
      'receiver_res',
      'visitor_res',
      'state',
      'competition_id',
      { field: 'compet_phase', optional: true },
      { field: 'venue_id', optional: true },
    ],
    order: 'start_datetime desc',
  }),
  view.form(Match, {
    status: 'state',
    sections: [
      { items: ['mnbr', 'start_datetime', 'receiver_id', 'visitor_id', 'venue_id'] },
      { items: ['competition_id', 'compet_phase', 'website_url'] },
      {
        label: 'Result',
        items: [
          'receiver_res',
          'visitor_res',
          { field: 'forfeit_by', when: [['state', '=', 'forfeit']] },
          'is_shot',
          { field: 'receiver_shot', when: [['is_shot', '=', true]] },
          { field: 'visitor_shot', when: [['is_shot', '=', true]] },
        ],
      },
    ],
    tabs: [
      {
        label: 'Call-ups',
        sections: [
          {
            items: [
              { field: 'convocation_ids', columns: ['team_id', 'meeting_datetime', 'website_published'], wide: true },
            ],
          },
        ],
      },
    ],
  }),
  view.calendar(Match, { title: 'display_name', start: 'start_datetime' }),
  view.graph(Match, { measure: '__count', groupBy: ['start_datetime:month', 'competition_id'] }),
  view.pivot(Match, {
    rows: ['competition_id', 'receiver_id'],
    columns: ['state'],
    measures: ['__count', 'receiver_res', 'visitor_res'],
  }),
  view.search(Match, {
    fields: ['receiver_id', 'visitor_id', 'compet_phase'],
    filters: [
      { id: 'planned', label: 'Scheduled', domain: [['state', '=', 'planned']] },
      { id: 'played', label: 'Played', domain: [['state', '=', 'played']] },
      { id: 'postponed', label: 'Postponed', domain: [['state', '=', 'postponed']] },
    ],
    groups: [
      { id: 'competition', label: 'Competition', by: 'competition_id' },
      { id: 'month', label: 'Month', by: 'start_datetime:month' },
    ],
  }),
];

const teams = [
  view.list(Team, {
    columns: ['name', 'category_id', 'is_ours', 'website_published', { field: 'website_id', optional: true }],
  }),
  view.kanban(Team, { title: 'name', image: 'image', lines: ['category_id'], groupBy: 'category_id' }),
  view.form(Team, {
    title: 'name',
    image: 'image',
    sections: [
      { items: ['category_id', 'is_ours', 'coach_id', 'venue_id', 'training'] },
      { label: 'Website', items: ['website_published', 'website_url', 'website_id', 'sequence'] },
    ],
    tabs: [
      {
        label: 'Players',
        sections: [{ items: [{ field: 'member_ids', columns: ['name', 'number', 'position'], wide: true }] }],
      },
      { label: 'Description', sections: [{ items: [{ field: 'description', wide: true }] }] },
      {
        label: 'SEO',
        sections: [
          { items: ['website_meta_title', 'website_meta_description', 'website_meta_keywords', 'website_meta_og_img'] },
        ],
      },
    ],
  }),
  view.search(Team, {
    fields: ['name'],
    filters: [{ id: 'ours', label: 'Our teams', domain: [['is_ours', '=', true]] }],
    groups: [{ id: 'category', label: 'Category', by: 'category_id' }],
  }),
  view.list(Category, { columns: ['sequence', 'name', 'age_limit'], editable: true }),
  view.list(Season, { columns: ['name', 'date_start', 'date_end'], editable: true }),
  view.list(Venue, { columns: ['name', 'street', 'city', 'surface'] }),
  view.form(Venue, {
    title: 'name',
    sections: [{ items: ['street', 'zip', 'city', 'surface', { field: 'note', wide: true }] }],
  }),
];

const members = [
  view.list(Member, {
    columns: [
      'name',
      'category_id',
      'team_ids',
      'number',
      'licence',
      { field: 'birth_date', optional: true },
      { field: 'email', optional: true },
    ],
  }),
  view.form(Member, {
    sections: [
      { items: ['partner_id', 'birth_date', 'category_id', 'team_ids', 'number', 'position', 'licence', 'active'] },
      { label: 'On the website', items: ['public_name', 'consent_birthday'] },
    ],
    tabs: [
      {
        label: 'Guardians',
        sections: [
          {
            items: [
              { field: 'guardian_ids', columns: ['partner_id', 'relation', 'email', 'consent_name'], wide: true },
            ],
          },
        ],
      },
    ],
  }),
  view.search(Member, {
    fields: ['name', 'licence'],
    groups: [{ id: 'category', label: 'Category', by: 'category_id' }],
  }),
  view.list(Guardian, { columns: ['member_id', 'partner_id', 'relation', 'email', 'consent_name'] }),
];

const competitions = [
  view.list(Competition, { columns: ['name', 'season_id', 'category_id', 'has_standings'] }),
  view.form(Competition, {
    title: 'name',
    sections: [
      { items: ['season_id', 'category_id', 'has_standings'] },
      { label: 'Points', items: ['points_win', 'points_draw', 'points_loss', 'points_forfeit', 'forfeit_goals'] },
      { items: [{ field: 'rule_ids', columns: ['sequence', 'rule'], wide: true }] },
    ],
    tabs: [
      { label: 'Teams', sections: [{ items: [{ field: 'team_ids', columns: ['name', 'category_id'], wide: true }] }] },
      {
        label: 'Points adjustments',
        sections: [
          { items: [{ field: 'adjustment_ids', columns: ['team_id', 'points', 'reason', 'date'], wide: true }] },
        ],
      },
      {
        label: 'Matches',
        sections: [
          {
            items: [
              {
                field: 'match_ids',
                columns: ['mnbr', 'start_datetime', 'receiver_id', 'visitor_id', 'state'],
                wide: true,
              },
            ],
          },
        ],
      },
    ],
  }),
  view.list(CompetitionRule, { columns: ['competition_id', 'sequence', 'rule'] }),
  view.list(CompetitionAdjustment, { columns: ['competition_id', 'team_id', 'points', 'reason', 'date'] }),
];

const callUps = [
  view.list(Convocation, {
    columns: ['match_id', 'team_id', 'start_datetime', 'meeting_datetime', 'website_published'],
  }),
  view.form(Convocation, {
    buttons: [
      { method: 'call_team', label: 'Call up the whole team' },
      {
        method: 'send_callups',
        label: 'Publish and send emails',
        primary: true,
        confirm: 'Everyone on the list who hasn’t been emailed yet will get an email now.',
      },
      { method: 'remind', label: 'Send reminders', when: [['website_published', '=', true]] },
    ],
    sections: [
      {
        items: [
          'match_id',
          'team_id',
          'meeting_datetime',
          'meeting_place',
          'website_published',
          { field: 'note', wide: true },
        ],
      },
      {
        items: [
          {
            field: 'line_ids',
            columns: ['member_id', 'answer', 'comment', 'answered_date', 'mail_date', 'mail_state'],
            wide: true,
          },
        ],
      },
    ],
  }),
  view.list(ConvocationLine, {
    columns: ['convocation_id', 'member_id', 'answer', 'comment', 'answered_date', 'answered_by_id'],
  }),
];

const walls = [
  view.list(Wall, { columns: ['name', 'member_posts', 'website_published', { field: 'website_id', optional: true }] }),
  view.form(Wall, {
    title: 'name',
    sections: [
      {
        items: ['member_posts', 'website_published', 'website_url', 'website_id', { field: 'description', wide: true }],
      },
    ],
  }),
  view.list(WallPost, {
    columns: ['name', 'wall_id', 'author_id', 'create_date', 'website_published', 'removal_asked'],
  }),
  view.form(WallPost, {
    title: 'name',
    image: 'image',
    sections: [
      { items: ['wall_id', 'author_id', 'website_published', 'removal_asked', 'website_url'] },
      { items: [{ field: 'descr', wide: true }] },
    ],
  }),
  view.search(WallPost, {
    fields: ['name'],
    filters: [
      { id: 'waiting', label: 'Awaiting approval', domain: [['website_published', '=', false]] },
      { id: 'removal', label: 'Removal requested', domain: [['removal_asked', '=', true]] },
    ],
    groups: [{ id: 'wall', label: 'Wall', by: 'wall_id' }],
  }),
  view.list(Advert, {
    columns: ['name', 'zone', 'date_from', 'date_to', 'active', { field: 'website_id', optional: true }],
  }),
  view.form(Advert, {
    title: 'name',
    image: 'image',
    sections: [{ items: ['zone', 'link', 'date_from', 'date_to', 'sequence', 'active', 'website_id'] }],
  }),
];

export const views = [...matches, ...teams, ...members, ...competitions, ...callUps, ...walls];

const root = 'dribblo.menu_root';
const configuration = 'dribblo.menu_configuration';
const entry = (
  name: string,
  label: string,
  model: Parameters<typeof view.list>[0],
  groups: readonly string[] = [MANAGER],
  parent = root,
) => menu(`dribblo.menu_${name}`, { label, parent, model, groups });

export const menus = [
  menu(root, { label: 'Football club', icon: 'trophy', groups: [MANAGER, SCORE_KEEPER, WALL_MANAGER] }),
  menu('dribblo.menu_matches', {
    label: 'Matches',
    parent: root,
    model: Match,
    groups: [MANAGER],
    views: ['list', 'calendar', 'form'],
  }),
  menu('dribblo.menu_results', {
    label: 'Enter results',
    parent: root,
    url: '/matchs/results',
    groups: [SCORE_KEEPER],
  }),
  menu('dribblo.menu_import', { label: 'Import fixtures', parent: root, url: '/matchs/import', groups: [MANAGER] }),
  entry('callups', mark('Call-ups'), Convocation),
  entry('teams', mark('Teams'), Team),
  entry('members', mark('Members'), Member),
  menu(configuration, { label: 'Configuration', parent: root, groups: [MANAGER], last: true }),
  entry('competitions', mark('Competitions'), Competition, [MANAGER], configuration),
  entry('venues', mark('Grounds'), Venue, [MANAGER], configuration),
  entry('categories', mark('Categories'), Category, [MANAGER], configuration),
  entry('seasons', mark('Seasons'), Season, [MANAGER], configuration),
  entry('walls', mark('Walls'), Wall, [WALL_MANAGER]),
  entry('posts', mark('Posts'), WallPost, [WALL_MANAGER]),
  entry('adverts', mark('Adverts'), Advert),
];
