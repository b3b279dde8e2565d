import { type Ctx, type Identity, type Ids, identityOf } from 'pergola';
import { endSessions } from 'pergola/http';

/**
 * Runs a change, and ends the sessions of users who lose rights by it, except the current session, so their open pages can't be used any
 * longer.
 */
export async function endShrunk(ctx: Ctx, users: Ids, change: () => Promise<void>): Promise<void> {
  const system = ctx.sudo(); // A user's rights depend on their groups, regardless of who changes them.
  const identities = await Promise.all(users.map((id) => identityOf(system, id)));
  await change();
  for (const had of identities) {
    if (!had?.id) continue;
    const has = await identityOf(system, had.id);
    if (!has || hasLost(had, has)) await endSessions(ctx, had.id, { exceptCurrent: had.id === ctx.user.id });
  }
}

function hasLost(had: Identity, has: Identity): boolean {
  // Rights granted by roles are compared separately.
  const hasLostGroup = [...had.groups].some((group) => !group.startsWith('rights.') && !has.groups.has(group));
  return (
    hasLostGroup ||
    [...(had.grants ?? [])].some(([model, rights]) => !rights.isSubsetOf(has.grants?.get(model) ?? new Set()))
  );
}
