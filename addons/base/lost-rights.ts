import { type Ctx, type Identity, type Ids, identityOf } from 'pergola';
import { endSessions } from 'pergola/http';

/**
 * Makes a change, and ends the sessions of those users who may do less after it, but for the one that makes it: whatever they have open goes with what
 * they had.
 */
export async function endShrunk(ctx: Ctx, users: Ids, change: () => Promise<void>): Promise<void> {
  const system = ctx.sudo(); // What somebody has follows from their groups, whoever changes them.
  const before = await Promise.all(users.map((id) => identityOf(system, id)));
  await change();
  for (const had of before) {
    if (!had?.id) continue;
    const has = await identityOf(system, had.id);
    if (!has || hasLost(had, has)) await endSessions(ctx, had.id, { exceptCurrent: had.id === ctx.user.id });
  }
}

function hasLost(had: Identity, has: Identity): boolean {
  // What roles grant is looked at itself.
  const lost = [...had.groups].some((group) => !group.startsWith('rights.') && !has.groups.has(group));
  return (
    lost || [...(had.grants ?? [])].some(([model, rights]) => !rights.isSubsetOf(has.grants?.get(model) ?? new Set()))
  );
}
