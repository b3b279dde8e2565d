import { f, type Id, type Ids, InvalidInput, mixin } from '#core';
import { only, postsWith } from '../posts/of-post.ts';
import { requireUser } from '../services/permissions.ts';
import { type VoteReply, vote } from '../posts/voting.ts';
import { ForumPost } from './forum-post.ts';
import { ForumPostVote } from './forum-post-vote.ts';

/** What people think of a post: their votes, and whose favourite it is. */
export const PostVotes = mixin(
  'forum.post_votes',
  {
    vote_ids: f.one2many('forum.post.vote', 'post_id', { label: 'Votes' }),
    vote_count: f.integer({
      compute: 'computeVoteCount',
      depends: ['vote_ids.vote'],
      store: true,
      required: true,
      label: 'Votes',
    }),
    user_vote: f.integer({ compute: 'computeUserVote', label: 'My vote' }),
    favourite_ids: f.many2many('res.users', {
      label: 'Favourite of',
      readonly: true,
      relation: { table: 'forum_post_favourite_rel', from: 'post_id', to: 'user_id' },
    }),
    favourite_count: f.integer({
      compute: 'computeFavouriteCount',
      depends: ['favourite_ids'],
      store: true,
      label: 'Favourites',
    }),
    user_favourite: f.boolean({ compute: 'computeUserFavourite', label: 'My favourite' }),
  },
  (Base) =>
    class extends Base {
      async computeVoteCount(ids: Ids): Promise<Map<Id, number>> {
        const groups = await this.ctx.model(ForumPostVote).group(
          [
            ['post_id', 'in', ids],
            ['vote', '!=', '0'],
          ],
          { by: ['post_id', 'vote'] },
        );
        const sums = new Map<Id, number>(ids.map((id) => [id, 0]));
        for (const { post_id, vote: way, count } of groups) {
          const id = idOf(post_id);
          sums.set(id, (sums.get(id) ?? 0) + Number(way) * count);
        }
        return sums;
      }

      async computeFavouriteCount(ids: Ids): Promise<Map<Id, number>> {
        const rows = await this.read(ids, { select: { favourite_ids: true } });
        return new Map(rows.map(({ id, favourite_ids }) => [id, favourite_ids.length]));
      }

      async computeUserVote(ids: Ids): Promise<Map<Id, number>> {
        const { id: user } = this.ctx.user;
        const votes =
          user === null
            ? []
            : await this.ctx
                .sudo()
                .model(ForumPostVote)
                .find(
                  [
                    ['post_id', 'in', ids],
                    ['user_id', '=', user],
                  ],
                  { select: { post_id: true, vote: true } },
                );
        const own = new Map(votes.map(({ post_id, vote: way }) => [post_id, Number(way)]));
        return new Map(ids.map((id) => [id, own.get(id) ?? 0]));
      }

      async computeUserFavourite(ids: Ids): Promise<Map<Id, boolean>> {
        return postsWith(this.ctx, ids, [['favourite_ids', '=', this.ctx.user.id ?? 0]]);
      }

      /** The caller's click on an arrow; see {@link vote}. Of several posts the last one's answer is given, as in Odoo. */
      async vote(ids: Ids, upvote = true): Promise<VoteReply> {
        let answer: VoteReply | null = null;
        for (const id of ids) answer = await vote(this.ctx, id, upvote);
        if (!answer) throw new InvalidInput('There is no such post.', { code: 'forum.no_post' });
        return answer;
      }

      /** Keeps a question among the caller's favourites, or not; answers the new state. It takes nothing but being signed in. */
      async toggleFavourite(ids: Ids): Promise<boolean> {
        const user = requireUser(this.ctx);
        const [id] = await this.allowed([only(ids)], 'read');
        if (id === undefined) throw new InvalidInput('There is no such post.', { code: 'forum.no_post' });
        await this.ctx.lock(ForumPost, [id]);
        const is = (await this.computeUserFavourite([id])).get(id) ?? false;
        // A favourite is the caller's own matter, which takes no right on the post.
        const posts = this.ctx.sudo().model(ForumPost);
        await posts.write(id, { favourite_ids: [is ? { unlink: user } : { link: user }] });
        return !is;
      }
    },
);

/** The id in a group's key. */
function idOf(value: unknown): Id {
  if (typeof value === 'number') return value;
  return value instanceof Object && 'id' in value ? Number(value.id) : Number(Array.isArray(value) ? value[0] : value);
}
