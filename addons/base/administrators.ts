import { Conflict, type Ctx } from 'pergola';

const ADMINISTRATORS = 'base.group_system';

/**
 * Runs a change of users or groups, and rejects it if no active administrator would remain. Sites without any
 * administrator are exempt, as during the first start.
 *
 * @throws Conflict
 */
export async function keepAnAdministrator(ctx: Ctx, change: () => Promise<void>): Promise<void> {
  const system = ctx.sudo(); // Counts administrators regardless of the caller's access.
  const users = system.model('res.users');
  const groups = await system.model('res.groups').search([['code', '=', ADMINISTRATORS]]);
  const hasAdministrator = async (): Promise<boolean> => {
    const active = [
      ['active', '=', true],
      ['group_ids.code', '=', ADMINISTRATORS],
    ] as const;
    return (await users.invariant('res.groups', groups, () => users.count(active, { most: 1 }))) > 0;
  };
  const hadAdministrator = await hasAdministrator();
  await change();
  if (hadAdministrator && !(await hasAdministrator()))
    throw new Conflict('At least one administrator must stay active. Make another user an administrator first.', {
      code: 'base.last_administrator',
    });
}
