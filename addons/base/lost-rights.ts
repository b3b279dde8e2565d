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
  for (const previous of identities) {
    if (!previous?.id) continue;
    const current = await identityOf(system, previous.id);
    if (!current || hasLost(previous, current))
      await endSessions(ctx, previous.id, { exceptCurrent: previous.id === ctx.user.id });
  }
}

function hasLost(previous: Identity, current: Identity): boolean {
  // Rights granted by roles are compared separately.
  const hasLostGroup = [...previous.groups].some((group) => !group.startsWith('rights.') && !current.groups.has(group));
  return (
    hasLostGroup ||
    [...(previous.grants ?? [])].some(([model, rights]) => !rights.isSubsetOf(current.grants?.get(model) ?? new Set()))
  );
}
