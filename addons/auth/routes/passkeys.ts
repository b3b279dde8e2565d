import { completeSignIn, landing } from '@pergola/web';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { NotAllowed, type Reply, redirect, route, z } from 'pergola';
import { Passkey } from '../models/auth-passkey.ts';
import { goesOn, keyHolder, showFirst, stepAdded } from '../services/holder.ts';
import { keepPasskey, ownerOfPasskey, registrationOptions, signInOptions } from '../services/passkeys.ts';
import { forgetCodes, hasStep, requireOther, stepsOf } from '../services/second-step.ts';
import { tellOwner } from '../services/tell-owner.ts';
import { t } from '../texts.ts';

const text = z.string().max(8_000);
const optionalText = text.optional();
/** Fields shared by both browser responses; the library validates the rest. */
const answer = { id: z.string().min(1).max(1_400), rawId: z.string().max(1_400), type: z.literal('public-key') };
const extensions = z.custom<object>((value) => typeof value === 'object' && value !== null);
const more = { authenticatorAttachment: z.string().max(40).optional(), clientExtensionResults: extensions };

const registration = z.object({
  ...answer,
  ...more,
  response: z.object({
    clientDataJSON: text,
    attestationObject: z.string().max(20_000),
    authenticatorData: optionalText,
    transports: z.array(z.string().max(20)).max(10).optional(),
    publicKeyAlgorithm: z.number().optional(),
    publicKey: optionalText,
  }),
});
const signed = z.object({
  ...answer,
  ...more,
  response: z.object({ clientDataJSON: text, authenticatorData: text, signature: text, userHandle: optionalText }),
});

const showFirstCall = (): NotAllowed =>
  new NotAllowed('Confirm your identity first: reload the page.', { code: 'auth.confirm_first' });

const options = route.rpc(
  '/web/passkeys/options',
  { name: 'auth.passkey_options', writes: true, rate: { calls: 30, seconds: 600 } },
  async ({ ctx, request }) => {
    const holder = await keyHolder(ctx);
    if (!holder) throw showFirstCall();
    return registrationOptions(ctx, request, holder);
  },
);

/** Returns failures instead of throwing them, because the challenge is consumed in any case. */
export const register = route.rpc(
  '/web/passkeys/register',
  {
    name: 'auth.passkey_register',
    writes: true,
    rate: { calls: 30, seconds: 600 },
    input: z.object({ name: z.string().trim().min(1).max(80), response: registration }),
  },
  async ({ ctx, input, request, url }) => {
    const holder = await keyHolder(ctx);
    if (!holder) throw showFirstCall();
    const { userId } = holder;
    const { name } = input;
    const isFirst = !(await hasStep(ctx, userId));
    const response = input.response as RegistrationResponseJSON;
    if (!(await keepPasskey(ctx, request, { userId, name, response }))) return { kept: false, codes: [], to: '' };
    await tellOwner(ctx, userId, {
      kind: 'passkey_added',
      about: { name },
      text: (t) => t('The passkey “{name}” was added to your account.', { name }),
    });
    const codes = await stepAdded(ctx, holder, isFirst);
    return { kept: true, codes, to: await goesOn(ctx, holder, url) };
  },
);

const signInStart = route.rpc(
  '/web/login/passkey/options',
  { name: 'auth.passkey_sign_in_options', writes: true, rate: { calls: 30, seconds: 60 } },
  ({ ctx, request }) => signInOptions(ctx, request),
);

/** A passkey verifies its owner by biometrics or a PIN, so no second factor is required. */
export const signIn = route.rpc(
  '/web/login/passkey',
  {
    name: 'auth.passkey_sign_in',
    writes: true,
    rate: { calls: 30, seconds: 60 },
    input: z.object({ response: signed, redirect: z.string().max(4096).default('') }),
  },
  async ({ ctx, input, request, url }) => {
    const userId = await ownerOfPasskey(ctx, request, input.response as AuthenticationResponseJSON);
    if (userId === null) return { to: null };
    await completeSignIn(ctx, userId);
    const to = await landing(ctx, userId, input.redirect);
    return { to: input.redirect === '' ? url(to) : to };
  },
);

const id = z.number().int().positive();
const back = (url: (path: string) => string, result: string): Reply =>
  redirect(`${url('/web/account/keys')}?done=${result}`);

const rename = route.form(
  '/web/account/keys/passkeys/rename',
  {
    name: 'auth.passkey_rename',
    page: '/web/account/keys',
    auth: 'user',
    writes: true,
    body: z.object({ id, name: z.string().trim().min(1).max(80) }),
  },
  async ({ ctx, body, url }) => {
    const passkeys = ctx.sudo().model(Passkey); // Credentials are only accessible to the system; these belong to the caller.
    await passkeys.write(await passkeys.search(ownPasskey(ctx.user.id, body.id)), { name: body.name });
    return back(url, 'renamed');
  },
);

const remove = route.form(
  '/web/account/keys/passkeys/remove',
  {
    name: 'auth.passkey_remove',
    confirm: (ctx) => ({
      question: t(ctx, 'Remove this passkey? You won’t be able to sign in with it.'),
      yes: t(ctx, 'Remove'),
    }),
    page: '/web/account/keys',
    auth: 'user',
    writes: true,
    body: z.object({ id }),
  },
  async ({ ctx, body, url }) => {
    const holder = await keyHolder(ctx);
    if (!holder) return showFirst(ctx, url, '/web/account/keys');
    const { userId } = holder;
    const passkeys = ctx.sudo().model(Passkey); // Credentials are only accessible to the system; these belong to the caller.
    const [passkey] = await passkeys.find(ownPasskey(userId, body.id), { select: { name: true } });
    if (!passkey) return back(url, 'removed');
    const { totp, passkeys: all } = await stepsOf(ctx, userId);
    await requireOther(ctx, userId, all - 1 + (totp ? 1 : 0));
    await passkeys.unlink(passkey.id);
    await forgetCodes(ctx, userId);
    await tellOwner(ctx, userId, {
      kind: 'passkey_removed',
      about: { name: passkey.name },
      text: (t) => t('The passkey “{name}” was removed from your account.', { name: passkey.name }),
    });
    return back(url, 'removed');
  },
);

const ownPasskey = (userId: number | null, passkey: number) =>
  [
    ['id', '=', passkey],
    ['user_id', '=', userId ?? 0],
  ] as const;

export const passkeyRoutes = [options, register, signInStart, signIn, rename, remove];
