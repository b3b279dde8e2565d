import { f, type Id, type Ids, model } from 'pergola';

/** A forum event shown to a user until they have read it. */
export class ForumNotification extends model(
  'forum.notification',
  {
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    kind: f.selection(
      {
        answer: 'Answer',
        comment: 'New comment',
        accepted: 'Answer accepted',
        badge: 'Badge',
        validated: 'Question published',
        refused: 'Question rejected',
        closed: 'Question closed',
      },
      { required: true, default: 'answer', label: 'Type' },
    ),
    actor_id: f.many2one('res.users', { empty: 'none', label: 'Triggered by' }),
    post_id: f.many2one('forum.post', { ondelete: 'cascade' }),
    badge_id: f.many2one('gamification.badge', { ondelete: 'cascade' }),
    is_read: f.boolean({ label: 'Read', index: true }),
  },
  { order: 'id desc', label: 'Forum notification', nameField: 'kind', indexes: [['user_id', 'is_read', 'id']] },
) {
  /** Marks the caller's notifications as read and ignores all others. Returns how many were unread. */
  async markRead(ids: Ids): Promise<number> {
    // Users have no write access to notifications; these belong to the caller.
    const ownIds = this.ctx.su
      ? [...ids]
      : await this.search([
          ['id', 'in', ids],
          ['user_id', '=', this.ctx.user.id ?? 0],
        ]);
    if (ownIds.length > 0) await this.ctx.sudo().model(ForumNotification).write(ownIds, { is_read: true });
    return ownIds.length;
  }

  /** The caller's unread notifications, newest first. */
  async unread(limit: number): Promise<Id[]> {
    return this.search(
      [
        ['user_id', '=', this.ctx.user.id ?? 0],
        ['is_read', '=', false],
      ],
      { limit },
    );
  }
}

declare module 'pergola' {
  interface Models {
    'forum.notification': ForumNotification;
  }
}
