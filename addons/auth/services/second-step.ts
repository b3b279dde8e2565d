import { type Ctx, type Id, InvalidInput, identityOf } from 'pergola';
import { endSessions } from 'pergola/http';
import { Group, User } from '#addons/base';
import { Passkey } from '../models/auth-passkey.ts';
import { RecoveryCode } from '../models/auth-recovery-code.ts';
import { Totp } from '../models/auth-totp.ts';

/** Where somebody whose password was right shows a second thing that only they have. */
export const SECOND = '/web/login/second';
/** Where somebody who must have a second step sets one up, before they are signed in. */
export const SETUP = '/web/login/setup';

/** What somebody has beside their password. Without it, the password alone signs them in. */
export interface Steps {
  readonly totp: boolean;
  readonly passkeys: number;
}

/** The second steps of a user. Nobody has rights on most of them: who may know is the caller's matter. */
export async function stepsOf(ctx: Ctx, userId: Id): Promise<Steps> {
  const system = ctx.sudo();
  return {
    totp: (await system.model(Totp).count([['user_id', '=', userId]])) > 0,
    passkeys: await system.model(Passkey).count([['user_id', '=', userId]]),
  };
}

/** Whether a user has any second step. */
export async function hasStep(ctx: Ctx, userId: Id): Promise<boolean> {
  const { totp, passkeys } = await stepsOf(ctx, userId);
  return totp || passkeys > 0;
}

/** Whether a group of the user, or one that theirs imply, asks for a second step. */
export async function mustHaveStep(ctx: Ctx, userId: Id): Promise<boolean> {
  const identity = await identityOf(ctx, userId);
  if (!identity) return false;
  const asking = await ctx
    .sudo() // What a group asks of its members is nothing that they need rights for.
    .modelNamed(Group.modelName)
    .count([
      ['code', 'in', [...identity.groups]],
      ['second_step', '=', true],
    ]);
  return asking > 0;
}

/** Whether a user must have a second step and has none. */
export async function needsStep(ctx: Ctx, userId: Id): Promise<boolean> {
  return !(await hasStep(ctx, userId)) && (await mustHaveStep(ctx, userId));
}

/**
 * Ends the sessions of users who must have a second step and have none, of these or of all: they are led to set one up when they sign in again. To be called
 * whenever somebody comes to need one.
 */
export async function endUnprotected(ctx: Ctx, users?: readonly Id[]): Promise<void> {
  const system = ctx.sudo(); // Whose sessions end follows from the groups, whoever changed them.
  if ((await system.modelNamed(Group.modelName).count([['second_step', '=', true]])) === 0) return;
  for (const id of users ?? (await system.model(User).search([]))) {
    if (await needsStep(system, id)) await endSessions(ctx, id);
  }
}

/**
 * Makes sure that somebody who must have a second step keeps one.
 *
 * @param others how many would be left
 * @throws InvalidInput
 */
export async function requireOther(ctx: Ctx, userId: Id, others: number): Promise<void> {
  if (others > 0 || !(await mustHaveStep(ctx, userId))) return;
  throw new InvalidInput('Your groups ask for a second step, and this is your only one. Set up another one first.', {
    code: 'auth.last_step',
  });
}

/** Takes the recovery codes of somebody who has no second step left; they are made anew with the next one. */
export async function forgetCodes(ctx: Ctx, userId: Id): Promise<void> {
  if (await hasStep(ctx, userId)) return;
  const codes = ctx.sudo().model(RecoveryCode); // Nobody has rights on what opens an account.
  await codes.unlink(await codes.search([['user_id', '=', userId]]));
}
