import type { PublicPicture } from '#addons/web';
import { MultiWebsite, Published, Seo } from '#addons/website';
import { f, type Id, type Ids, model, slugify } from '#core';

/** A team: one of the club's own, or one it meets. */
export class Team extends model(
  'club.team',
  {
    name: f.char({ required: true, size: 80 }),
    image: f.image({ label: 'Crest or photo' }),
    category_id: f.many2one('club.category', { ondelete: 'restrict', index: true }),
    is_ours: f.boolean({ index: true, label: 'One of our teams' }),
    sequence: f.integer({ default: 10 }),
    coach_id: f.many2one('club.member', { ondelete: 'set null', label: 'Coach' }),
    venue_id: f.many2one('club.venue', { ondelete: 'set null', label: 'Home ground' }),
    training: f.text({ translate: true, label: 'Training', help: 'Days and hours, as shown on the team’s page' }),
    description: f.html({ translate: true }),
    member_ids: f.many2many('club.member', {
      label: 'Players',
      relation: { table: 'club_team_member_rel', from: 'team_id', to: 'member_id' },
    }),
    competition_ids: f.many2many('club.competition', {
      label: 'Competitions',
      relation: { table: 'club_competition_team_rel', from: 'team_id', to: 'competition_id' },
    }),
  },
  { order: 'sequence, name, id', label: 'Team', search: ['name'], mixins: [Published, Seo, MultiWebsite] },
) {
  override async websiteUrls(ids: Ids): Promise<Map<Id, string>> {
    const rows = await this.read(ids, { select: { name: true } });
    return new Map(rows.map(({ id, name }) => [id, `/teams/${slugOf(name, id)}`]));
  }
}

/** `U15 A` of id 3 is `u15-a-3`. */
function slugOf(name: string, id: Id): string {
  const slug = slugify(name);
  return slug === '' ? String(id) : `${slug}-${id}`;
}

declare module '#core' {
  interface Models {
    'club.team': Team;
  }
}

/** Crests stand on fixture lists, also those of teams without a page. */
export const teamCrests: readonly PublicPicture[] = [{ model: 'club.team', field: 'image', domain: [] }];
