import type { PublicPicture } from '@pergola/web';
import { MultiWebsite, onSite, onWebsite, Published, Seo } from '@pergola/website';
import { type FileRef, f, type Id, type Ids, kept, model, NotFound, slugify } from 'pergola';
import { Category } from './club-category.ts';

/** A team of the club, or an opponent. */
export class Team extends model(
  'club.team',
  {
    name: f.char({ required: true, size: 80 }),
    image: f.image({ label: 'Crest or photo' }),
    category_id: f.many2one('club.category', { ondelete: 'restrict', index: true }),
    is_ours: f.boolean({ index: true, label: 'One of our teams' }),
    sequence: f.integer({ default: 10 }),
    coach_id: f.many2one('club.member', { empty: 'none', label: 'Coach' }),
    venue_id: f.many2one('club.venue', { ondelete: 'restrict', label: 'Home ground' }),
    training: f.text({ translate: true, label: 'Training', help: 'Days and hours, as shown on the team’s page' }),
    description: f.html({ translate: true }),
    member_ids: f.many2many('club.member', {
      empty: 'none',
      label: 'Players',
      relation: { table: 'club_team_member_rel', from: 'team_id', to: 'member_id' },
    }),
    competition_ids: f.many2many('club.competition', {
      empty: 'none',
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

  /** The club's own teams on this website, in order. */
  async ours(): Promise<Id[]> {
    return (await this.oursByName()).map(({ id }) => id);
  }

  /** Same as `ours`, with names. */
  oursByName(): Promise<readonly { readonly id: Id; readonly name: string }[]> {
    // Published content is public.
    return ownTeams.get(this.ctx.sudo(), this.ctx.attributes.website?.id ?? null);
  }

  /**
   * Returns the given teams, or all own teams if the list is empty.
   *
   * @throws NotFound if a team doesn't exist or isn't visible
   */
  async namedOrOurs(ids: Ids): Promise<Ids> {
    if (ids.length === 0) return this.ours();
    await this.requireNamed(ids);
    return ids;
  }

  /** @throws NotFound if a team doesn't exist or isn't visible */
  async requireNamed(ids: Ids): Promise<void> {
    const teamIds = [...new Set(ids)];
    const visibleIds = await this.search([['id', 'in', teamIds], ...onWebsite(this.ctx)]);
    if (visibleIds.length < teamIds.length) throw new NotFound('We can’t find that team.', { code: 'dribblo.no_team' });
  }

  /** The club's own teams of a category that are visible to visitors. */
  async ofCategory(category: Id): Promise<Ids> {
    if ((await this.ctx.model(Category).count([['id', '=', category]])) === 0) {
      throw new NotFound('We can’t find that category.', { code: 'dribblo.no_category' });
    }
    return this.search([
      ['category_id', '=', category],
      ['is_ours', '=', true],
      ['website_published', '=', true],
      ...onWebsite(this.ctx),
    ]);
  }
}

/** Own teams published on a website, or on all websites. */
export const ownTeams = kept('dribblo.own_teams', (ctx, site: Id | null) =>
  ctx
    .model(Team)
    .find([['is_ours', '=', true], ['website_published', '=', true], ...onSite(site)], { select: { name: true } }),
);

/** Placeholder for a missing crest. */
const NO_CREST = '/dribblo/static/crest.svg';

/** URL of a team's crest, in a box of `side` pixels. */
export function teamImage(team: { readonly id: Id; readonly image: FileRef | null } | null, side = 128): string {
  if (!team?.image) return NO_CREST;
  const size = String(side);
  const query = new URLSearchParams({
    model: 'club.team',
    field: 'image',
    id: String(team.id),
    width: size,
    height: size,
    unique: team.image.hash.slice(0, 12),
  });
  return `/web/binary/image?${query}`;
}

/** Slug of a team: `U15 A` with ID 3 becomes `u15-a-3`. */
function slugOf(name: string, id: Id): string {
  const slug = slugify(name);
  return slug === '' ? String(id) : `${slug}-${id}`;
}

declare module 'pergola' {
  interface Models {
    'club.team': Team;
  }
}

/** Crests are public, because fixture lists include teams without a page. */
export const teamCrests: readonly PublicPicture[] = [{ model: 'club.team', field: 'image', domain: [] }];
