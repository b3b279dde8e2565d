import { extend, type FieldsOf, type Id, type Ids, type Values } from 'pergola';
import { Forum } from './forum.ts';
import { ForumKarma } from './forum-karma.ts';
import { ForumPost } from './forum-post.ts';
import { ForumUser } from './res-users.ts';

/** Karma for a confirmed address if no forum defines it. */
const WITHOUT_FORUM = 3;

/** User behaviour that depends on the karma ledger and posts: a separate extension, because both import the user model. */
export const UserWithKarma = extend(
  ForumUser,
  {},
  (Base) =>
    class extends Base {
      /** User managers can set karma: the difference becomes a ledger line. */
      override async write(idOrIds: Id | Ids, values: Values<FieldsOf<InstanceType<typeof Base>>>): Promise<void> {
        const { karma, ...rest } = values;
        if (typeof karma !== 'number' || this.ctx.su) return super.write(idOrIds, values);
        const ids = typeof idOrIds === 'number' ? [idOrIds] : idOrIds;
        await super.write(ids, rest);
        // Setting karma requires write access to the users, which is checked here.
        if ((await this.allowed(ids, 'write')).length < ids.length) return super.write(ids, values);
        const system = this.ctx.sudo();
        const rows = await system.model(ForumUser).read(ids, { select: { karma: true } });
        await system
          .model(ForumKarma)
          .move(rows.map((row) => ({ user_id: row.id, amount: karma - row.karma, reason: 'given' as const })));
      }

      /** Hides the posts of users who lost all their karma, and shows them again when they have some. */
      override async addKarma(sums: ReadonlyMap<Id, number>): Promise<void> {
        const users = await this.read([...sums.keys()], { select: { karma: true } });
        await super.addKarma(sums);
        for (const { id, karma } of users) {
          const now = karma + (sums.get(id) ?? 0);
          if (karma > 0 !== now > 0) await this.ctx.model(ForumPost).hideAuthor(id, now <= 0);
        }
      }

      /** Confirming an address grants the initial karma. */
      override async verifyEmail(ids: Ids): Promise<void> {
        await super.verifyEmail(ids);
        for (const id of ids) await this.grantFirstKarma(id);
      }

      /**
       * Grants the initial karma (enough to ask, and for two downvotes) once to a user with a confirmed address. Returns whether it was
       * granted.
       */
      async grantFirstKarma(user: Id, forum: Id | null = null): Promise<boolean> {
        // Users have no access to the ledger; a confirmed address justifies this line.
        const system = this.ctx.sudo();
        await system.lock(ForumUser, [user]);
        const grantCount = await system.model(ForumKarma).count([
          ['user_id', '=', user],
          ['reason', '=', 'validated'],
        ]);
        const [row] = await system.model(ForumUser).read([user], { select: { karma: true } });
        if (row?.karma !== 0 || grantCount > 0) return false;
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
