import { type Ctx, type Domain, type FieldsOf, type Id, type Ids, InvalidInput } from '#core';
import { ForumPost } from '../models/forum-post.ts';

/** The one id of what is done with one post at a time. Throws InvalidInput for none and for several. */
export function only(ids: Ids): Id {
  const [id] = ids;
  if (id !== undefined && ids.length === 1) return id;
  throw new InvalidInput('This is done with one post at a time.', { code: 'forum.one_post' });
}

/** Which of the posts the caller reads fulfil a condition that is about the caller alone; none for visitors. */
export async function postsWith(ctx: Ctx, ids: Ids, domain: Domain<FieldsOf<ForumPost>>): Promise<Map<Id, boolean>> {
  // About the caller alone, and about posts they are reading.
  const found =
    ctx.user.id === null
      ? []
      : await ctx
          .sudo()
          .model(ForumPost)
          .search([['id', 'in', ids], ['active', 'in', [true, false]], ...domain]);
  const set = new Set(found);
  return new Map(ids.map((id) => [id, set.has(id)]));
}
