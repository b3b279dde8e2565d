import { extend, type Ids, InvalidInput } from 'pergola';
import { Forum } from './forum.ts';
import { ForumPost } from './forum-post.ts';
import { ForumTag } from './forum-tag.ts';

/** Forum behaviour that depends on posts: a separate extension, because posts import the forum model. */
export const ForumWithPosts = extend(
  Forum,
  {},
  (Base) =>
    class extends Base {
      override async afterWrite(ids: Ids, values: Parameters<this['write']>[1]): Promise<void> {
        await super.afterWrite(ids, values);
        if (!('relevancy_post_vote' in values || 'relevancy_time_decay' in values)) return;
        // Runs as the system, so posts the caller can't see are updated as well.
        await this.ctx.sudo().model(ForumPost).refreshRelevancy(ids);
      }

      override async beforeUnlink(ids: Ids): Promise<void> {
        const system = this.ctx.sudo();
        const inForums = [
          ['forum_id', 'in', ids],
          ['active', 'in', [true, false]],
        ] as const;
        const posts = await this.invariant(Forum, ids, () => system.model(ForumPost).count(inForums));
        if (posts > 0) {
          throw new InvalidInput('This forum has {count} posts. Archive it instead of deleting it.', {
            code: 'forum.not_empty',
            params: { count: posts },
          });
        }
        const tags = system.model(ForumTag);
        await tags.unlink(await tags.search([['forum_id', 'in', ids]]));
        await super.beforeUnlink(ids);
      }
    },
);
