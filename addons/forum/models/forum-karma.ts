import { type FieldsOf, f, type Id, type Ids, model, type Values } from 'pergola';
import { ForumUser } from './res-users.ts';

/** Sources of karma movements. */
export const karmaReasons = {
  asked: 'Question asked',
  vote: 'Vote received',
  accepted: 'Answer accepted',
  accept: 'Accepted an answer',
  closed: 'Question closed as spam or abuse',
  offensive: 'Post marked as offensive',
  validated: 'Email address confirmed',
  given: 'Granted by a manager',
} as const;
export type KarmaReason = keyof typeof karmaReasons;

/** Karma ledger with one immutable line per movement. The user stores the sum of their lines; adding lines is the only way to change it. */
export class ForumKarma extends model(
  'forum.karma',
  {
    user_id: f.many2one('res.users', { required: true, ondelete: 'cascade', index: true }),
    amount: f.integer({ required: true, label: 'Karma' }),
    reason: f.selection(karmaReasons, { default: 'given', required: true }),
    forum_id: f.many2one('forum.forum', { empty: 'none' }),
    post_id: f.many2one('forum.post', { empty: 'none', index: true }),
    note: f.char({ label: 'Note' }),
  },
  { order: 'id desc', label: 'Karma change', nameField: 'reason', appendOnly: true },
) {
  override async beforeCreate(
    values: readonly Values<FieldsOf<ForumKarma>>[],
  ): Promise<readonly Values<FieldsOf<ForumKarma>>[]> {
    // Locks users in a fixed order to avoid deadlocks.
    const users = [...new Set(values.map(({ user_id }) => user_id ?? 0))].filter((id) => id > 0).sort((a, b) => a - b);
    await this.ctx.lock(ForumUser, users);
    // Lines entered by managers are always marked as manual.
    return super.beforeCreate(this.ctx.su ? values : values.map((value) => ({ ...value, reason: 'given' as const })));
  }

  override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<ForumKarma>>[]): Promise<void> {
    await super.afterCreate(ids, values);
    const sums = new Map<Id, number>();
    for (const { user_id, amount } of values) {
      if (user_id) sums.set(user_id, (sums.get(user_id) ?? 0) + (amount ?? 0));
    }
    await this.ctx.sudo().model(ForumUser).addKarma(sums);
  }

  /** Adds lines as the system, because the forum's rules move karma rather than the caller. Skips lines without an amount or user. */
  async move(lines: readonly (Values<FieldsOf<ForumKarma>> & { readonly reason: KarmaReason })[]): Promise<void> {
    const validLines = lines.filter(({ user_id, amount }) => user_id && amount);
    if (validLines.length > 0) await this.ctx.sudo().model(ForumKarma).create(validLines);
  }

  /** Reverses the karma a post brought its users for the given reasons. */
  async takeBack(post: Id, forum: Id, reasons: readonly KarmaReason[]): Promise<void> {
    const lines = await this.ctx
      .sudo()
      .model(ForumKarma)
      .find(
        [
          ['post_id', '=', post],
          ['reason', 'in', reasons],
        ],
        { select: { user_id: true, amount: true, reason: true } },
      );
    const sums = Map.groupBy(lines, ({ user_id, reason }) => `${user_id}/${reason}`);
    await this.move(
      [...sums.values()].flatMap((group) => {
        const [first] = group;
        if (!first) return [];
        const amount = -group.reduce((sum, line) => sum + line.amount, 0);
        return [{ user_id: first.user_id, amount, reason: first.reason, post_id: post, forum_id: forum }];
      }),
    );
  }
}

declare module 'pergola' {
  interface Models {
    'forum.karma': ForumKarma;
  }
}
