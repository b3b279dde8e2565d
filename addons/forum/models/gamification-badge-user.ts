import { type FieldsOf, f, type Ids, model, type Values } from 'pergola';
import { ForumNotification } from './forum-notification.ts';

/** A badge earned by a user, at most once. */
export class GamificationBadgeUser extends model(
  'gamification.badge.user',
  {
    badge_id: f.many2one('gamification.badge', { required: true, ondelete: 'cascade', index: true }),
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    comment: f.char({ label: 'Awarded for' }),
  },
  {
    order: 'id desc',
    label: 'Awarded badge',
    unique: [{ fields: ['badge_id', 'user_id'], message: 'This user already has this badge.' }],
  },
) {
  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<GamificationBadgeUser>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    // Users have no write access to notifications.
    const notifications = this.ctx.sudo().model(ForumNotification);
    await notifications.create(values.map(({ badge_id, user_id }) => ({ kind: 'badge' as const, badge_id, user_id })));
  }
}

declare module 'pergola' {
  interface Models {
    'gamification.badge.user': GamificationBadgeUser;
  }
}
