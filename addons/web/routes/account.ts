import { isTimezone, Language, Partner, User } from '@pergola/base';
import {
  type Ctx,
  type Id,
  type InvalidForm,
  isEmailAddress,
  type PageInput,
  type Reply,
  readableAddress,
  redirect,
  route,
  Unauthenticated,
  z,
} from 'pergola';
import { endSessions, listSessions } from 'pergola/http';
import { sendVerification } from '../jobs/send-verification.ts';
import { WebUser } from '../models/res-users.ts';
import { accountHub } from '../services/account-hub.ts';
import { changedPasswordHash, keepPassword, requireOwnPassword } from '../services/accounts.ts';
import { MAX_PICTURE_BYTES } from '../services/images.ts';
import { timezoneChoices } from '../services/timezones.ts';

/** Maximum number of sessions shown, most recent first. */
const MAX_SESSIONS = 20;
/** Message shown after an action. */
const doneParam = z.enum(['saved', 'password', 'sessions', 'mail', 'verified']).optional();

type FormState = Partial<Pick<InvalidForm<unknown>, 'values' | 'errors' | 'message'>> & { done?: string };

/** Returns the id of the user, who is always signed in on these routes. */
function currentUserId({ user }: Ctx): Id {
  if (user.id === null) throw new Unauthenticated('Sign in first.');
  return user.id;
}

/** Returns the user's own record with elevated rights, because customers may not write users and contacts. */
async function ownUser(ctx: Ctx) {
  return ctx
    .sudo()
    .model(WebUser)
    .get(currentUserId(ctx), {
      select: {
        lang: true,
        tz: true,
        email_verified: true,
        pending_email: true,
        partner_id: { name: true, email: true, lang: true, tz: true, image: true },
      },
    });
}

async function accountValues(ctx: Ctx, formState: FormState) {
  const { lang, tz, email_verified: verified, pending_email: pending, partner_id: partner } = await ownUser(ctx);
  const languages = await ctx.model(Language).find([], { select: { code: true, name: true } });
  const values = {
    name: partner?.name ?? '',
    lang: lang ?? partner?.lang ?? '',
    tz: tz ?? partner?.tz ?? '',
    ...formState.values,
  };
  const picture = partner?.image ? { partnerId: partner.id, unique: partner.image.hash.slice(0, 12) } : null;
  const tokens = await ctx.sudo().model(User).accessTokens(currentUserId(ctx));
  const sessions = await listSessions(ctx, currentUserId(ctx));
  return {
    ...formState,
    login: ctx.user.login,
    values,
    errors: formState.errors ?? {},
    done: formState.done ?? null,
    email: partner?.email ?? null,
    pending,
    verified,
    picture,
    languages: languages.map(({ code, name }) => ({ code, name, chosen: code === values.lang })),
    timezones: timezoneChoices(values.tz),
    tokens,
    sessions: sessions.slice(0, MAX_SESSIONS),
    sessionsMore: Math.max(0, sessions.length - MAX_SESSIONS),
  };
}

/** Account page with the links of all addons. */
const hub = route.page(
  '/my/account',
  { name: 'web.account_hub', auth: 'user', cache: false },
  async ({ ctx, render }) => {
    const { email_verified: verified, partner_id: partner } = await ownUser(ctx);
    const unconfirmed = verified ? null : (partner?.email ?? null);
    return render('web.account_hub', { name: ctx.user.name, parts: await accountHub(ctx), unconfirmed });
  },
);

const start = route.page('/my', { name: 'web.my', cache: false }, async ({ url }) => redirect(url('/my/account'), 301));

const page = route.page(
  '/web/account',
  { name: 'web.account', auth: 'user', query: z.object({ done: doneParam }), cache: false },
  async ({ ctx, query, render }) => render('web.account', await accountValues(ctx, { done: query.done })),
);

const invalid = async ({ ctx, render, values, errors, message }: InvalidForm<unknown>): Promise<Reply> =>
  render('web.account', await accountValues(ctx, { values, errors, message }));

const back = ({ url }: Pick<PageInput<unknown, undefined>, 'url'>, message: z.infer<typeof doneParam>): Reply =>
  redirect(`${url('/web/account')}?done=${message}`);

/** Options shared by all forms of the page. */
const formOptions = { auth: 'user', writes: true, invalid } as const;

const save = route.form(
  '/web/account',
  {
    name: 'web.account_post',
    ...formOptions,
    body: z.object({
      name: z.string().trim().min(1).max(120),
      lang: z.string().max(10).default(''),
      tz: z.union([z.literal(''), z.string().refine(isTimezone, 'Choose a valid time zone.')]).default(''),
      remove_picture: z.boolean().default(false),
    }),
    files: { picture: MAX_PICTURE_BYTES },
    rate: { calls: 30, seconds: 600, by: 'user' },
    prepare: async ({ ctx, files }) => {
      const [picture] = files.picture ?? [];
      if (!picture || picture.content.byteLength === 0) return null;
      const { name, content } = picture;
      return ctx.files.putImage(content, { name, field: 'picture', fit: { width: 1024, height: 1024 } });
    },
  },
  async (input) => {
    const { ctx, body, prepared: picture } = input;
    const { partner_id: partner } = await ownUser(ctx);
    const languages = await ctx.model(Language).find([['code', '=', body.lang]], { select: { code: true } });
    const lang = languages[0]?.code ?? null;
    const system = ctx.sudo();
    if (partner) {
      await system.model(Partner).write(partner.id, {
        name: body.name,
        lang,
        tz: body.tz || null,
        ...(picture ? { image: picture } : body.remove_picture ? { image: null } : {}),
      });
    }
    await system.model(User).write(currentUserId(ctx), { lang, tz: body.tz || null });
    return back(input, 'saved');
  },
);

const changeEmail = route.form(
  '/web/account/email',
  {
    name: 'web.account_email',
    ...formOptions,
    body: z.object({
      email: z.string().trim().refine(isEmailAddress, 'Enter a valid email address.').transform(readableAddress),
      current_password: z.string().min(1).max(1024),
    }),
    rate: { name: 'web.change_email', calls: 10, seconds: 3600, by: 'user' },
    // Emails to this address can reset the password, so an abandoned session must not suffice to change it.
    prepare: ({ ctx, body, request }) =>
      requireOwnPassword(ctx, { password: body.current_password, address: request.ip, field: 'current_password' }),
  },
  async (input) => {
    const { ctx, body } = input;
    const { partner_id: partner } = await ownUser(ctx);
    if (partner?.email === body.email) return back(input, 'saved');
    // Customers may not write users, but this is their own account and they have just confirmed its password.
    await ctx.sudo().model(WebUser).askForEmail(currentUserId(ctx), body.email);
    return back(input, 'mail');
  },
);

const changePassword = route.form(
  '/web/account/password',
  {
    name: 'web.account_password',
    ...formOptions,
    body: z.object({
      old_password: z.string().min(1).max(1024),
      password: z.string().max(1024),
      confirm: z.string().max(1024),
      revoke_tokens: z.boolean().default(false),
    }),
    prepare: ({ ctx, body, request }) => {
      const { old_password: old, password, confirm } = body;
      return changedPasswordHash(ctx, { old, password, confirm, address: request.ip });
    },
  },
  async (input) => {
    const { ctx, body, prepared: hash } = input;
    await keepPassword(ctx, currentUserId(ctx), hash);
    if (body.revoke_tokens) await ctx.sudo().model(User).revokeTokens(currentUserId(ctx));
    return back(input, 'password');
  },
);

const endOne = route.form(
  '/web/account/sessions',
  {
    name: 'web.account_sessions',
    ...formOptions,
    // Without a number, ends all sessions except the current one.
    body: z.object({ number: z.number().int().positive().optional() }),
  },
  async (input) => {
    const { ctx, body } = input;
    if (body.number !== undefined && body.number === ctx.session.number) {
      ctx.session.signOut();
      return redirect(input.url('/web/login'));
    }
    await endSessions(
      ctx,
      currentUserId(ctx),
      body.number === undefined ? { exceptCurrent: true } : { only: body.number },
    );
    return back(input, 'sessions');
  },
);

const sendAgain = route.form(
  '/web/account/verify',
  {
    name: 'web.account_verify',
    ...formOptions,
    body: z.object({}),
    rate: { name: 'web.send_verification', calls: 5, seconds: 3600, by: 'user' },
  },
  async (input) => {
    const { pending_email: pending } = await ownUser(input.ctx);
    await input.ctx.jobs.enqueue(sendVerification, { user: currentUserId(input.ctx), change: pending !== null });
    return back(input, 'mail');
  },
);

export const accountRoutes = [start, hub, page, save, changeEmail, changePassword, endOne, sendAgain];
