import { type Ctx, f, type Id, type Ids, mixin } from '#core';
import { BUMP_DAYS } from '../constants.ts';
import { hasMoved, type RelevancyWeights, relevancyOf } from '../posts/relevancy.ts';
import { requireUser } from '../services/permissions.ts';
import { Forum } from './forum.ts';
import { ForumPost } from './forum-post.ts';
import { ForumPostView } from './forum-post-view.ts';

const DAY = 86_400_000;
/** Older questions hardly move any more among the relevant ones. */
const MOVING_DAYS = 120;
const REFRESHED = 500;

/** How much a question is looked at, how relevant it is, and when something last happened to it. */
export const PostAttention = mixin(
  'forum.post_attention',
  {
    views: f.integer({ default: 0, required: true, readonly: true }),
    relevancy: f.float({ default: 0, required: true, readonly: true, label: 'Relevance' }),
    last_activity_date: f.datetime({ readonly: true, label: 'Last activity' }),
    bump_date: f.datetime({ readonly: true, label: 'Brought up' }),
  },
  (Base) =>
    class extends Base {
      /** Brings questions up again that nobody has answered for long; answers whether it was time. */
      async bump(ids: Ids): Promise<boolean> {
        requireUser(this.ctx);
        const before = new Date(this.ctx.now().getTime() - BUMP_DAYS * DAY);
        const due = await this.ctx
          .model(ForumPost)
          .search([
            ['id', 'in', ids],
            ['parent_id', '=', null],
            ['state', '=', 'active'],
            ['child_count', '=', 0],
            ['forum_id.allow_bump', '=', true],
            ['create_date', '<', before],
            '|',
            ['bump_date', '=', null],
            ['bump_date', '<', before],
          ]);
        const now = new Date(this.ctx.now());
        // Who brings a question up changes nothing else of it.
        if (due.length > 0)
          await this.ctx.sudo().model(ForumPost).write(due, { bump_date: now, last_activity_date: now });
        return due.length > 0;
      }

      /** Works out how relevant questions are: those of these forums that still move, a page at a time. For the system. */
      async refreshRelevancy(forums: Ids): Promise<void> {
        const tables = await this.ctx
          .model(Forum)
          .read(forums, { select: { relevancy_post_vote: true, relevancy_time_decay: true } });
        for (const table of tables) {
          let after = 0;
          do {
            after = await refreshPage(this.ctx, table, after);
          } while (after > 0);
        }
      }

      /** Notes that somebody looked at a question; counted in later, so that nobody waits. */
      async seen(ids: Ids): Promise<void> {
        const visible = await this.ctx.model(ForumPost).search([
          ['id', 'in', ids],
          ['parent_id', '=', null],
          ['create_uid', '!=', this.ctx.user.id ?? 0],
        ]);
        // Visitors write nothing else.
        await this.ctx
          .sudo()
          .model(ForumPostView)
          .create(visible.map((post_id) => ({ post_id })));
      }
    },
);

/** Works out a page of questions behind an id; answers the last of them, 0 at the end. */
async function refreshPage(ctx: Ctx, table: RelevancyWeights & { readonly id: Id }, after: Id): Promise<Id> {
  const posts = ctx.model(ForumPost);
  const rows = await posts.find(
    [
      ['forum_id', '=', table.id],
      ['parent_id', '=', null],
      ['id', '>', after],
      ['vote_count', 'not in', [0, 1]],
      ['create_date', '>', new Date(ctx.now().getTime() - MOVING_DAYS * DAY)],
    ],
    { select: { vote_count: true, create_date: true, relevancy: true }, order: 'id', limit: REFRESHED },
  );
  for (const { id, vote_count, create_date, relevancy } of rows) {
    const next = relevancyOf(vote_count, create_date, ctx.now(), table);
    if (hasMoved(relevancy, next)) await posts.write(id, { relevancy: next });
  }
  return rows.length < REFRESHED ? 0 : (rows.at(-1)?.id ?? 0);
}
