import { Group, User } from '@pergola/base';
import { type Ctx, type Id, InvalidInput, identityOf } from 'pergola';
import { endSessions } from 'pergola/http';
import { Passkey } from '../models/auth-passkey.ts';
import { RecoveryCode } from '../models/auth-recovery-code.ts';
import { Totp } from '../models/auth-totp.ts';

/** Path for entering the second factor. */
export const SECOND = '/web/login/second';
/** Path for setting up a required second factor before signing in. */
export const SETUP = '/web/login/setup';

/** Second factors of a user. Without them, the password is sufficient. */
export interface Steps {
  readonly totp: boolean;
  readonly passkeys: number;
}

/** Returns the second factors of a user. The caller must have checked permissions. */
export async function stepsOf(ctx: Ctx, userId: Id): Promise<Steps> {
  const system = ctx.sudo();
  return {
    totp: (await system.model(Totp).count([['user_id', '=', userId]])) > 0,
    passkeys: await system.model(Passkey).count([['user_id', '=', userId]]),
  };
}

/** Whether a user has any second factor. */
export async function hasStep(ctx: Ctx, userId: Id): Promise<boolean> {
  const { totp, passkeys } = await stepsOf(ctx, userId);
  return totp || passkeys > 0;
}

/** Whether any of the user's direct or implied groups requires a second factor. */
export async function mustHaveStep(ctx: Ctx, userId: Id): Promise<boolean> {
  const identity = await identityOf(ctx, userId);
  if (!identity) return false;
  const requiringGroups = await ctx
    .sudo() // A group's requirement isn't subject to permissions.
    .modelNamed(Group.modelName)
    .count([
      ['code', 'in', [...identity.groups]],
      ['second_step', '=', true],
    ]);
  return requiringGroups > 0;
}

/** Whether a user still has to set up a required second factor. */
export async function needsStep(ctx: Ctx, userId: Id): Promise<boolean> {
  return !(await hasStep(ctx, userId)) && (await mustHaveStep(ctx, userId));
}

/**
 * Ends the sessions of users without a required second factor, either the given ones or all: they must set one up at the next sign-in. Must
 * be called whenever a user may have become subject to the requirement.
 */
export async function endUnprotected(ctx: Ctx, users?: readonly Id[]): Promise<void> {
  const system = ctx.sudo(); // Ending sessions depends on the groups, regardless of who changed them.
  if ((await system.modelNamed(Group.modelName).count([['second_step', '=', true]])) === 0) return;
  for (const id of users ?? (await system.model(User).search([]))) {
    if (await needsStep(system, id)) await endSessions(ctx, id);
  }
}

/**
 * Verifies that a user keeps a required second factor.
 *
 * @param remaining number of remaining second factors
 * @throws InvalidInput if the last one would be removed
 */
export async function requireOther(ctx: Ctx, userId: Id, remaining: number): Promise<void> {
  if (remaining > 0 || !(await mustHaveStep(ctx, userId))) return;
  throw new InvalidInput(
    'Your groups require two-factor authentication, and this is your only method. Set up another one first.',
    {
      code: 'auth.last_step',
    },
  );
}

/** Deletes the recovery codes of a user without any second factor; the next one creates new codes. */
export async function forgetCodes(ctx: Ctx, userId: Id): Promise<void> {
  if (await hasStep(ctx, userId)) return;
  const codes = ctx.sudo().model(RecoveryCode); // Credentials are only accessible to the system.
  await codes.unlink(await codes.search([['user_id', '=', userId]]));
}
