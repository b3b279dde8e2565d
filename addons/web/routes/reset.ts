import { User } from '@pergola/base';
import { type Ctx, type Id, type InvalidForm, type PageInput, type Reply, redirect, route, z } from 'pergola';
import { sendReset } from '../jobs/send-reset.ts';
import { WebUser } from '../models/res-users.ts';
import { newPasswordHash } from '../services/accounts.ts';
import { signIn } from '../services/sign-in.ts';
import { t } from '../texts.ts';

const token = { token: z.string().max(200) };
type Render = PageInput<unknown, undefined>['render'];

/** An expired link shows the form to request a new one. */
const linkIsOver = (ctx: Ctx, render: Render): Reply =>
  render(
    'web.reset_ask',
    { values: {}, errors: {}, message: t(ctx, 'This link has expired or was already used. Request a new one.') },
    { status: 404 },
  );

const askPage = route.page(
  '/web/reset_password',
  { name: 'web.reset_password', query: z.object({ sent: z.literal('1').optional() }) },
  ({ query, render }) => render('web.reset_ask', { sent: query.sent === '1', values: {}, errors: {} }),
);

const ask = route.form(
  '/web/reset_password',
  {
    name: 'web.reset_password_post',
    writes: true,
    body: z.object({ login: z.string().trim().toLowerCase().min(1).max(255) }),
    rate: [
      { name: 'web.reset_by_address', calls: 20, seconds: 3600 },
      { name: 'web.reset_by_login', calls: 5, seconds: 3600, by: ({ body }) => (body as { login: string }).login },
    ],
    invalid: ({ values, errors, message, render }) => render('web.reset_ask', { values, errors, message }),
  },
  async ({ ctx, body, url }) => {
    await ctx.jobs.enqueue(sendReset, { login: body.login });
    return redirect(`${url('/web/reset_password')}?sent=1`);
  },
);

const choosePage = route.page(
  '/web/reset_password/:token',
  { name: 'web.choose_password', params: token, cache: false },
  async ({ ctx, params, render }) => {
    const owner = await ctx.model(WebUser).ownerOfLink(params.token, ['reset', 'invite']);
    if (!owner) return linkIsOver(ctx, render);
    return render('web.reset_choose', await chooseValues(ctx, params.token, owner));
  },
);

const choose = route.form(
  '/web/reset_password/:token',
  {
    name: 'web.choose_password_post',
    params: token,
    writes: true,
    body: z.object({
      password: z.string().max(1024),
      confirm: z.string().max(1024),
      revoke_tokens: z.boolean().default(false),
    }),
    rate: { name: 'web.choose_password', calls: 30, seconds: 600 },
    prepare: async ({ ctx, params, body }) => {
      const owner = await ctx.model(WebUser).ownerOfLink(params.token, ['reset', 'invite']);
      return owner && newPasswordHash(ctx, body, owner.login, owner.email, owner.name);
    },
    invalid: showChoose,
  },
  async ({ ctx, params, body, prepared: hash, render, url }) => {
    // Checked again on use: of two simultaneous uses, the write of one fails and finds the link used.
    const owner = await ctx.model(WebUser).ownerOfLink(params.token, ['reset', 'invite']);
    if (!owner || hash === null) return linkIsOver(ctx, render);
    const users = ctx.sudo().model(User);
    await users.setPasswordHash([owner.id], hash);
    if (body.revoke_tokens) await users.revokeTokens(owner.id);
    // The link was sent by email and is invalid for any other address.
    if (owner.mailbox === owner.email) await users.verifyEmail([owner.id]);
    const account = '/web/account?done=password';
    const step = await signIn(ctx, owner.id, url(account));
    return redirect(url(step ?? account));
  },
);

async function showChoose({ ctx, params, errors, message, render }: InvalidForm<unknown>): Promise<Reply> {
  const token = (params as { token: string }).token;
  const owner = await ctx.model(WebUser).ownerOfLink(token, ['reset', 'invite']);
  if (!owner) return linkIsOver(ctx, render);
  return render('web.reset_choose', { ...(await chooseValues(ctx, token, owner)), errors, message });
}

/** Shows the number of access tokens, but not their names, because the link alone may be less than the owner needs to sign in. */
async function chooseValues(ctx: Ctx, token: string, { id, login }: { readonly id: Id; readonly login: string }) {
  const tokens = await ctx.sudo().model(User).accessTokens(id);
  return { token, login, tokenCount: tokens.length, errors: {} };
}

/** Returns the address that a link confirms: the account's current one, or the requested new one. Null if the link is expired or used. */
async function addressOf(ctx: Ctx, token: string): Promise<{ id: Id; email: string | null; isNew: boolean } | null> {
  const changing = await ctx.model(WebUser).ownerOfLink(token, ['change']);
  if (changing) return { id: changing.id, email: changing.pending, isNew: true };
  const owner = await ctx.model(WebUser).ownerOfLink(token, ['verify']);
  return owner && { id: owner.id, email: owner.email, isNew: false };
}

const over = (render: Render): Reply => render('web.verify_email', {}, { status: 404 });

const verifyPage = route.page(
  '/web/verify_email/:token',
  { name: 'web.verify_email', params: token, cache: false },
  async ({ ctx, params, render }) => {
    const address = await addressOf(ctx, params.token);
    return address ? render('web.verify_email', { token: params.token, email: address.email }) : over(render);
  },
);

/** Opening the link shows a button, because email scanners open links, too. */
const verify = route.form(
  '/web/verify_email/:token',
  { name: 'web.verify_email_post', params: token, writes: true, body: z.object({}) },
  async ({ ctx, params, render }) => {
    const address = await addressOf(ctx, params.token);
    if (!address) return over(render);
    const { id, email, isNew } = address;
    const users = ctx.sudo().model(WebUser); // The link is sufficient proof.
    await (isNew ? users.takePendingEmail(id) : users.verifyEmail([id]));
    return render('web.verify_email', { done: true, email });
  },
);

export const resetRoutes = [askPage, ask, choosePage, choose, verifyPage, verify];
