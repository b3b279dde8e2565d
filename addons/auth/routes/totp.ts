import {
  type Ctx,
  type InvalidForm,
  InvalidInput,
  isRecent,
  type PageInput,
  type Reply,
  redirect,
  route,
  seal,
  unseal,
  z,
} from 'pergola';
import { takeRate } from 'pergola/http';
import { RecoveryCode } from '../models/auth-recovery-code.ts';
import { newSecret, Totp } from '../models/auth-totp.ts';
import { setupValues } from '../pages/setup.ts';
import { goesOn, type KeyHolder, keyHolder, showFirst, stepAdded } from '../services/holder.ts';
import { forgetCodes, hasStep, requireOther, SETUP, stepsOf } from '../services/second-step.ts';
import { tellOwner } from '../services/tell-owner.ts';
import { t } from '../texts.ts';

const PAGE = '/web/account/keys/app';
const SETUP_MS = 30 * 60_000;
const purpose = ({ userId }: KeyHolder): string => `auth.totp_setup:${userId}`;

/** The secret travels in the form, encrypted for its user: nothing is stored until a code proves that the app has it. */
function sealedSecret(ctx: Ctx, holder: KeyHolder, secret: string): string {
  return seal(ctx.config.sessionSecret, purpose(holder), JSON.stringify({ secret, at: ctx.now().getTime() }));
}

const setupShape = z.object({ secret: z.string(), at: z.number() });

function openSecret(ctx: Ctx, holder: KeyHolder, sealed: string): string | null {
  const text = unseal(ctx.config.sessionSecret, purpose(holder), sealed);
  const setup = text === null ? null : setupShape.parse(JSON.parse(text));
  return setup && isRecent(setup.at, SETUP_MS, ctx.now()) ? setup.secret : null;
}

/** Setup page of an authenticator app, for signed-in users and for users who must set it up to sign in. */
const setupPage = (path: string, name: string) =>
  route.page(path, { name, cache: false }, async ({ ctx, render, url }) => {
    const holder = await keyHolder(ctx);
    if (!holder) return showFirst(ctx, url, PAGE);
    const secret = newSecret();
    return render('auth.setup', await setupValues(ctx, holder, { secret, sealed: sealedSecret(ctx, holder, secret) }));
  });

const body = z.object({ setup: z.string().max(2_000), code: z.string().min(1).max(20) });

const setupForm = (path: string, name: string) =>
  route.form(
    path,
    {
      name,
      writes: true,
      body,
      prepare: async ({ ctx }) => {
        const holder = await keyHolder(ctx);
        if (holder)
          await takeRate(ctx, { name: 'auth.totp_setup', key: String(holder.userId), calls: 20, seconds: 900 });
      },
      invalid: (input) => showSetup(input),
    },
    async ({ ctx, body: { setup, code }, render, url }) => {
      const holder = await keyHolder(ctx);
      if (!holder) return showFirst(ctx, url, PAGE);
      const secret = openSecret(ctx, holder, setup);
      if (secret === null) return redirect(url(holder.pending ? SETUP : PAGE));
      const isFirst = !(await hasStep(ctx, holder.userId));
      const system = ctx.sudo(); // Credentials are only accessible to the system.
      if (!(await system.model(Totp).enable(holder.userId, secret, code))) throw wrongCode();
      await tellOwner(ctx, holder.userId, {
        kind: 'app_added',
        text: (t) => t('An authenticator app was set up for your account.'),
      });
      const codes = await stepAdded(ctx, holder, isFirst);
      const to = await goesOn(ctx, holder, url);
      return codes.length > 0 ? render('auth.codes', { codes, to }) : redirect(`${to}?done=app`);
    },
  );

async function showSetup({ ctx, values, errors, message, render, url }: InvalidForm<unknown>): Promise<Reply> {
  const holder = await keyHolder(ctx);
  const secret = holder && openSecret(ctx, holder, values.setup ?? '');
  if (!holder || secret === null) return showFirst(ctx, url, PAGE);
  return render('auth.setup', await setupValues(ctx, holder, { secret, sealed: values.setup ?? '', errors, message }));
}

/** Error for a code that is wrong or already used. */
export function wrongCode(): InvalidInput {
  const message =
    'That code is wrong. Each code works once, for 30 seconds. Wait for the next one, and check your phone’s clock.';
  return new InvalidInput(message, { code: 'auth.wrong_code', fields: { code: message } });
}

type Proved = Pick<PageInput<unknown, undefined>, 'ctx' | 'url'>;

/** Runs an action for the current key holder; others must identify themselves first. */
async function withHolder({ ctx, url }: Proved, work: (holder: KeyHolder) => Promise<Reply>): Promise<Reply> {
  const holder = await keyHolder(ctx);
  return holder ? work(holder) : showFirst(ctx, url, '/web/account/keys');
}

const options = { auth: 'user', writes: true, body: z.object({}) } as const;

const remove = route.form(
  '/web/account/keys/app/remove',
  {
    ...options,
    name: 'auth.totp_remove',
    confirm: (ctx) => ({
      question: t(ctx, 'Remove your authenticator app? You won’t be asked for its codes anymore.'),
      yes: t(ctx, 'Remove'),
    }),
    page: '/web/account/keys',
  },
  (input) =>
    withHolder(input, async ({ userId }) => {
      const { ctx, url } = input;
      await requireOther(ctx, userId, (await stepsOf(ctx, userId)).passkeys);
      const system = ctx.sudo(); // Credentials are only accessible to the system.
      await system.model(Totp).unlink(await system.model(Totp).search([['user_id', '=', userId]]));
      await forgetCodes(ctx, userId);
      await tellOwner(ctx, userId, {
        kind: 'app_removed',
        text: (t) => t('The authenticator app was removed from your account.'),
      });
      return redirect(`${url('/web/account/keys')}?done=app_removed`);
    }),
);

const freshCodes = route.form(
  '/web/account/keys/codes',
  {
    ...options,
    name: 'auth.codes',
    confirm: (ctx) => ({
      question: t(ctx, 'Create new recovery codes? Your current codes will stop working.'),
      yes: t(ctx, 'Create new codes'),
    }),
    page: '/web/account/keys',
  },
  (input) =>
    withHolder(input, async ({ userId }) => {
      const { ctx, render, url } = input;
      const codes = await ctx.sudo().model(RecoveryCode).renew(userId); // Credentials are only accessible to the system.
      await tellOwner(ctx, userId, {
        kind: 'codes_made',
        text: (t) => t('New recovery codes were created for your account. The old ones no longer work.'),
      });
      return render('auth.codes', { codes, to: url('/web/account/keys') });
    }),
);

export const totpRoutes = [
  setupPage(PAGE, 'auth.totp'),
  setupForm(PAGE, 'auth.totp_post'),
  setupPage(SETUP, 'auth.setup'),
  setupForm(SETUP, 'auth.setup_post'),
  remove,
  freshCodes,
];
