import { completeSignIn, landing, type PendingSignIn, pendingSignIn } from '@pergola/web';
import { type Ctx, type InvalidForm, InvalidInput, type Reply, redirect, route, z } from 'pergola';
import { takeRate } from 'pergola/http';
import { RecoveryCode } from '../models/auth-recovery-code.ts';
import { Totp } from '../models/auth-totp.ts';
import { SECOND, stepsOf } from '../services/second-step.ts';
import { tellOwner } from '../services/tell-owner.ts';
import { wrongCode } from './totp.ts';

interface SecondStepForm {
  readonly errors?: Readonly<Record<string, string>>;
  readonly message?: string;
}

async function secondValues(
  ctx: Ctx,
  { userId, redirect: to }: PendingSignIn,
  { errors = {}, message }: SecondStepForm,
) {
  const { totp, passkeys } = await stepsOf(ctx, userId);
  return { totp, passkeys: passkeys > 0, redirect: to, errors, message };
}

/** Asks for the second factor after the password. */
const page = route.page(SECOND, { name: 'auth.second', cache: false }, async ({ ctx, render, url }) => {
  const pending = await pendingSignIn(ctx);
  return pending ? render('auth.second', await secondValues(ctx, pending, {})) : redirect(url('/web/login'), 302);
});

async function showSecond({ ctx, errors, message, render, url }: InvalidForm<unknown>): Promise<Reply> {
  const pending = await pendingSignIn(ctx);
  return pending
    ? render('auth.second', await secondValues(ctx, pending, { errors, message }))
    : redirect(url('/web/login'));
}

/**
 * Limits a user to 10 codes per quarter of an hour and 50 per day, so trying a million codes takes decades. Reaching this point requires
 * the password.
 */
async function takeTry({ ctx }: { readonly ctx: Ctx }): Promise<void> {
  const pending = await pendingSignIn(ctx);
  if (!pending) return;
  const key = String(pending.userId);
  await takeRate(ctx, { name: 'auth.second', key, calls: 10, seconds: 900 });
  await takeRate(ctx, { name: 'auth.second_daily', key, calls: 50, seconds: 86_400 });
}

const options = { writes: true, prepare: takeTry, invalid: showSecond } as const;

const byApp = route.form(
  SECOND,
  { ...options, name: 'auth.second_post', body: z.object({ code: z.string().min(1).max(20) }) },
  ({ ctx, body, url }) =>
    finish(ctx, url, async (userId) => {
      if (!(await ctx.sudo().model(Totp).use(userId, body.code))) throw wrongCode();
    }),
);

const byRecovery = route.form(
  `${SECOND}/recovery`,
  { ...options, name: 'auth.second_recovery', body: z.object({ recovery: z.string().min(1).max(40) }) },
  ({ ctx, body, url }) =>
    finish(ctx, url, async (userId) => {
      const codes = ctx.sudo().model(RecoveryCode); // Credentials are only accessible to the system.
      if (!(await codes.use(userId, body.recovery))) {
        const message = 'That recovery code is wrong or already used.';
        throw new InvalidInput(message, { code: 'auth.wrong_recovery_code', fields: { recovery: message } });
      }
      const remaining = await codes.count([['user_id', '=', userId]]);
      await tellOwner(ctx, userId, {
        kind: 'code_used',
        text: (t) =>
          t('Someone signed in to your account with a recovery code. Codes left: {left}.', { left: remaining }),
      });
    }),
);

/** Completes the pending sign-in after the second factor was verified. */
async function finish(
  ctx: Ctx,
  url: (path: string) => string,
  check: (userId: number) => Promise<void>,
): Promise<Reply> {
  const pending = await pendingSignIn(ctx);
  if (!pending) return redirect(url('/web/login'));
  await check(pending.userId);
  await completeSignIn(ctx, pending.userId);
  const to = await landing(ctx, pending.userId, pending.redirect);
  return redirect(pending.redirect === '' ? url(to) : to);
}

export const secondStepRoutes = [page, byApp, byRecovery];
