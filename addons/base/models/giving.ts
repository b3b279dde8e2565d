import { type Ctx, type Id, type Ids, NotAllowed } from '#core';
import { Group } from './group.ts';

/** Kinds of users rather than rights: whoever makes accounts makes those of customers. */
const kinds: ReadonlySet<string> = new Set(['base.group_portal', 'base.group_public']);

/**
 * Makes sure that the caller gives no rights they do not have: everything a group implies counts. Who manages the settings may give all.
 *
 * @throws NotAllowed naming the group
 */
export async function requireMayGive(ctx: Ctx, given: Ids): Promise<void> {
  if (ctx.su || given.length === 0 || ctx.has('base.group_system')) return;
  const groups = ctx.sudo().model(Group); // What a group implies decides, whether or not the caller sees groups.
  const seen = new Set<Id>();
  let next = [...given];
  while (next.length > 0) {
    for (const id of next) seen.add(id);
    const rows = await groups.read(next, { select: { code: true, name: true, implied_ids: true } });
    const more = rows.find(({ code }) => !ctx.user.groups.has(code) && !kinds.has(code));
    if (more)
      throw new NotAllowed('You may not give the group “{group}”: you are not in it yourself.', {
        code: 'base.group_not_own',
        params: { group: more.name },
      });
    next = [...new Set(rows.flatMap(({ implied_ids }) => implied_ids))].filter((id) => !seen.has(id));
  }
}
