import type { Ctx, Id } from '#core';
import { Forum } from '../models/forum.ts';
import { ForumKarma } from '../models/forum-karma.ts';
import { ForumUser } from '../models/res-users.ts';

/** What somebody gets for a confirmed address where there is no forum to say so. */
const WITHOUT_FORUM = 3;

/**
 * Gives the karma to begin with (enough to ask, and to bear two downvotes) to somebody who has confirmed their address and has none. Answers whether
 * it was given; once is enough.
 */
export async function grantFirstKarma(ctx: Ctx, user: Id, forum: Id | null = null): Promise<boolean> {
  // Nobody has a right on the ledger; a confirmed address is what this line is for.
  const system = ctx.sudo();
  await system.lock(ForumUser, [user]);
  const row = await system.model(ForumUser).first([['id', '=', user]], { select: { karma: true } });
  const had = await system.model(ForumKarma).count([
    ['user_id', '=', user],
    ['reason', '=', 'validated'],
  ]);
  if (row?.karma !== 0 || had > 0) return false;
  const table = await system.model(Forum).first(forum === null ? [] : [['id', '=', forum]], {
    select: { karma_ask: true, karma_gen_question_downvote: true },
  });
  const amount = table ? table.karma_ask - 2 * table.karma_gen_question_downvote : WITHOUT_FORUM;
  await system.model(ForumKarma).move([{ user_id: user, amount, reason: 'validated', forum_id: table?.id ?? null }]);
  return true;
}
