import { type Ctx, type Id, memory } from '#core';
import { type KarmaTable, karmaSelect } from '../models/karma-fields.ts';
import { Forum } from '../models/forum.ts';
import { ForumUser } from '../models/res-users.ts';
import type { RelevancyWeights } from './relevancy.ts';

/** The numbers a forum goes by. */
export type ForumTable = KarmaTable & RelevancyWeights & { readonly id: Id };

/** The numbers of all forums, archived ones too, by their ids. They are no secret. */
export const forumTables = memory('forum.karma_tables', {
  read: async (ctx): Promise<ReadonlyMap<Id, ForumTable>> => {
    const rows = await ctx.model(Forum).find([['active', 'in', [true, false]]], {
      select: { ...karmaSelect, relevancy_post_vote: true, relevancy_time_decay: true },
    });
    return new Map(rows.map((row) => [row.id, row]));
  },
});

/** A user's karma as pages show it and go by it; the key is the user's id. Where something is decided it is read anew. */
export const shownKarma = memory('forum.karma', { read: (ctx, user) => karmaOf(ctx, Number(user)) });

/** A user's karma; 0 for those who are gone. With the rights of the context. */
export async function karmaOf(ctx: Ctx, user: Id): Promise<number> {
  const row = await ctx.model(ForumUser).first([['id', '=', user]], { select: { karma: true } });
  return row?.karma ?? 0;
}
