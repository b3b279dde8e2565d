import { f, type Id, type Ids, mixin } from '#core';
import { only } from '../posts/of-post.ts';
import { approve, close, type FlagReply, flag, markAsOffensive, refuse, reopen } from '../posts/states.ts';
import { ForumPost } from './forum-post.ts';

/** Seen by everybody, as long as nothing else is against it. */
const shown: readonly string[] = ['active', 'close'];

/** What became of a post: closed, waiting, flagged, offensive; and whether everybody sees it. */
export const PostStates = mixin(
  'forum.post_states',
  {
    state: f.selection(
      {
        active: 'Open',
        pending: 'Waiting for a moderator',
        close: 'Closed',
        offensive: 'Offensive',
        flagged: 'Flagged',
      },
      { default: 'active', readonly: true, required: true },
    ),
    closed_reason_id: f.many2one('forum.post.reason', { ondelete: 'restrict', readonly: true, label: 'Reason' }),
    closed_uid: f.many2one('res.users', { ondelete: 'set null', readonly: true, label: 'Closed by' }),
    closed_date: f.datetime({ readonly: true, label: 'Closed' }),
    flag_user_id: f.many2one('res.users', { ondelete: 'set null', readonly: true, label: 'Flagged by' }),
    moderator_id: f.many2one('res.users', { ondelete: 'set null', readonly: true, label: 'Moderated by' }),
    author_hidden: f.boolean({ readonly: true, label: 'Its author has no karma' }),
    website_visible: f.boolean({
      compute: 'computeVisible',
      depends: ['active', 'state', 'author_hidden', 'parent_id.active', 'parent_id.state', 'parent_id.author_hidden'],
      store: true,
      label: 'Shown to everybody',
    }),
  },
  (Base) =>
    class extends Base {
      async computeVisible(ids: Ids): Promise<Map<Id, boolean>> {
        const rows = await this.ctx.model(ForumPost).read(ids, {
          select: {
            active: true,
            state: true,
            author_hidden: true,
            parent_id: { active: true, state: true, author_hidden: true },
          },
        });
        const open = (post: { active: boolean; state: string; author_hidden: boolean }): boolean =>
          post.active && shown.includes(post.state) && !post.author_hidden;
        return new Map(rows.map((row) => [row.id, open(row) && (row.parent_id === null || open(row.parent_id))]));
      }

      async close(ids: Ids, reason: Id): Promise<boolean> {
        return close(this.ctx, ids, reason);
      }
      async reopen(ids: Ids): Promise<boolean> {
        return reopen(this.ctx, ids);
      }
      async flag(ids: Ids): Promise<FlagReply> {
        return flag(this.ctx, only(ids));
      }
      async approve(ids: Ids): Promise<boolean> {
        return approve(this.ctx, ids);
      }
      async refuse(ids: Ids): Promise<boolean> {
        return refuse(this.ctx, ids);
      }
      async markAsOffensive(ids: Ids, reason: Id): Promise<boolean> {
        return markAsOffensive(this.ctx, ids, reason);
      }
      /** Takes everything of an author out of sight, or shows it again. For the ledger. */
      async hideAuthor(user: Id, hidden: boolean): Promise<void> {
        const posts = await this.ctx.model(ForumPost).search([
          ['create_uid', '=', user],
          ['author_hidden', '=', !hidden],
          ['active', 'in', [true, false]],
        ]);
        if (posts.length > 0) await this.write(posts, { author_hidden: hidden });
      }
    },
);
