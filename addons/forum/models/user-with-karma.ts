import { extend, type FieldsOf, type Id, type Ids, type Values } from 'pergola';
import { Forum } from './forum.ts';
import { ForumKarma } from './forum-karma.ts';
import { ForumPost } from './forum-post.ts';
import { ForumUser } from './res-users.ts';

/** What somebody gets for a confirmed address where there is no forum to say so. */
const WITHOUT_FORUM = 3;

/** What the ledger of karma and the posts of users have to do with them: an extension of its own, since both are made of users. */
export const UserWithKarma = extend(
  ForumUser,
  {},
  (Base) =>
    class extends Base {
      /** Managers of users may set karma: the difference becomes a line of the ledger. */
      override async write(given: Id | Ids, values: Values<FieldsOf<InstanceType<typeof Base>>>): Promise<void> {
        const { karma, ...rest } = values;
        if (typeof karma !== 'number' || this.ctx.su) return super.write(given, values);
        const ids = typeof given === 'number' ? [given] : given;
        await super.write(ids, rest);
        // Writing users is what the caller needs a right for, and what was just asked.
        if ((await this.allowed(ids, 'write')).length < ids.length) return super.write(ids, values);
        const system = this.ctx.sudo();
        const rows = await system.model(ForumUser).read(ids, { select: { karma: true } });
        await system
          .model(ForumKarma)
          .move(rows.map((row) => ({ user_id: row.id, amount: karma - row.karma, reason: 'given' as const })));
      }

      /** Posts of those who lost all their karma are out of sight until they have some again. */
      override async addKarma(sums: ReadonlyMap<Id, number>): Promise<void> {
        const before = await this.read([...sums.keys()], { select: { karma: true } });
        await super.addKarma(sums);
        for (const { id, karma } of before) {
          const now = karma + (sums.get(id) ?? 0);
          if (karma > 0 !== now > 0) await this.ctx.model(ForumPost).hideAuthor(id, now <= 0);
        }
      }

      /** A confirmed address brings the karma to begin with. */
      override async verifyEmail(ids: Ids): Promise<void> {
        await super.verifyEmail(ids);
        for (const id of ids) await this.grantFirstKarma(id);
      }

      /**
       * Gives the karma to begin with (enough to ask, and to bear two downvotes) to somebody who has confirmed their address and has none, once. Answers
       * whether it was given.
       */
      async grantFirstKarma(user: Id, forum: Id | null = null): Promise<boolean> {
        // Nobody has a right on the ledger; a confirmed address is what this line is for.
        const system = this.ctx.sudo();
        await system.lock(ForumUser, [user]);
        const had = await system.model(ForumKarma).count([
          ['user_id', '=', user],
          ['reason', '=', 'validated'],
        ]);
        const [row] = await system.model(ForumUser).read([user], { select: { karma: true } });
        if (row?.karma !== 0 || had > 0) return false;
        const table = await system.model(Forum).first(forum === null ? [] : [['id', '=', forum]], {
          select: { karma_ask: true, karma_gen_question_downvote: true },
        });
        const amount = table ? table.karma_ask - 2 * table.karma_gen_question_downvote : WITHOUT_FORUM;
        await system
          .model(ForumKarma)
          .move([{ user_id: user, amount, reason: 'validated', forum_id: table?.id ?? null }]);
        return true;
      }
    },
);
