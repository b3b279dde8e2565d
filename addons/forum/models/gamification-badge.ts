import { f, type Id, type Ids, model } from '#core';
import { measureField } from '../badges/measures.ts';
import { GamificationBadgeUser } from './gamification-badge-user.ts';

/** Something people earn once: by what their posts achieved, or by hand. */
export class GamificationBadge extends model(
  'gamification.badge',
  {
    name: f.char({ required: true, translate: true, size: 60 }),
    description: f.char({ translate: true, size: 200 }),
    level: f.selection({ gold: 'Gold', silver: 'Silver', bronze: 'Bronze' }, { default: 'bronze', required: true }),
    measure: measureField,
    threshold: f.integer({ default: 1, label: 'Threshold', help: 'Votes, views or favourites one post needs' }),
    target: f.integer({
      default: 1,
      required: true,
      min: 1,
      label: 'How many',
      help: 'So many of them make the badge',
    }),
    sequence: f.integer({ default: 10, required: true }),
    active: f.boolean({ default: true }),
    owner_ids: f.one2many('gamification.badge.user', 'badge_id', { label: 'Owners' }),
    stat_count: f.integer({ compute: 'computeCount', label: 'Times awarded' }),
  },
  { order: 'sequence, id', label: 'Badge' },
) {
  async computeCount(ids: Ids): Promise<Map<Id, number>> {
    const rows = await this.ctx.model(GamificationBadgeUser).group([['badge_id', 'in', ids]], { by: ['badge_id'] });
    const counts = new Map(rows.map(({ badge_id, count }) => [keyOf(badge_id), count]));
    return new Map(ids.map((id) => [id, counts.get(id) ?? 0]));
  }
}

function keyOf(value: unknown): Id {
  return value instanceof Object && 'id' in value ? Number(value.id) : Number(Array.isArray(value) ? value[0] : value);
}

declare module '#core' {
  interface Models {
    'gamification.badge': GamificationBadge;
  }
}
