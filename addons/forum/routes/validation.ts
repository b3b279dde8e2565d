import { User } from '#addons/base';
import { type Ctx, type Id, redirect, route, signText, TooMany, Unauthenticated, verifyText, z } from '#core';
import { VALIDATION_HOURS } from '../constants.ts';
import { validateEmail } from '../mails.ts';
import { Forum } from '../models/forum.ts';
import { forumPath } from './paths.ts';
import { grantFirstKarma } from '../posts/first-karma.ts';

const PURPOSE = 'forum.validate_email';

interface Owner {
  readonly id: Id;
  readonly email: string;
  readonly name: string;
  readonly lang: string | null;
}

/** A token that only this site can have made, for one address of one user; it ends by itself. */
function tokenFor(ctx: Ctx, { id, email }: Owner): string {
  const end = Math.floor(ctx.now().getTime() / 1000) + VALIDATION_HOURS * 3600;
  return `${end}.${signText(ctx.config.sessionSecret, PURPOSE, JSON.stringify([end, id, email]))}`;
}

async function ownerOf(ctx: Ctx, id: Id): Promise<Owner | null> {
  // Whoever opens the link need not be signed in.
  const row = await ctx
    .sudo()
    .model(User)
    .first(
      [
        ['id', '=', id],
        ['active', '=', true],
      ],
      { select: { lang: true, partner_id: { name: true, email: true, lang: true } } },
    );
  const email = row?.partner_id?.email;
  return row && email
    ? { id, email, name: row.partner_id?.name ?? '', lang: row.lang ?? row.partner_id?.lang ?? null }
    : null;
}

/** The user a link was made for, while it is good and the address still theirs. */
async function readLink(ctx: Ctx, { token, id }: { readonly token: string; readonly id: Id }): Promise<Owner | null> {
  const [, end = '', signature = ''] = /^(\d{1,12})\.([\w-]{20,100})$/.exec(token) ?? [];
  const owner = end === '' ? null : await ownerOf(ctx, id);
  if (!owner || Number(end) * 1000 < ctx.now().getTime()) return null;
  const text = JSON.stringify([Number(end), owner.id, owner.email]);
  return verifyText(ctx.config.sessionSecret, PURPOSE, text, signature) ? owner : null;
}

/** Mails the caller a link to confirm their address. */
async function send(ctx: Ctx, forum: Id | null): Promise<void> {
  if (ctx.user.id === null) throw new Unauthenticated('Please sign in first.', { code: 'core.sign_in_first' });
  ctx.session.set('forum.validation_sent', true);
  const owner = await ownerOf(ctx, ctx.user.id);
  if (!owner) return;
  const query = new URLSearchParams({
    token: tokenFor(ctx, owner),
    id: String(owner.id),
    ...(forum ? { forum_id: String(forum) } : {}),
  });
  try {
    await ctx.mail.send(validateEmail, {
      to: { email: owner.email, name: owner.name, lang: owner.lang ?? undefined },
      values: { name: owner.name, path: `/forum/validate_email?${query}` },
    });
  } catch (error) {
    // Enough for one hour: the mails that were sent are on their way.
    if (!(error instanceof TooMany)) throw error;
  }
}

const forumId = z.coerce.number().int().positive().optional().catch(undefined);
const rate = [{ calls: 20, seconds: 600, by: 'user' as const, name: 'forum.validation' }];

const sendCall = route.rpc(
  '/forum/send_validation_email',
  { name: 'forum.send_validation_email', auth: 'user', writes: true, rate, input: z.object({ forum_id: forumId }) },
  async ({ ctx, input }) => {
    await send(ctx, input.forum_id ?? null);
    return true;
  },
);

const sendForm = route.form(
  '/forum/send_validation_email/form',
  {
    name: 'forum.send_validation_form',
    auth: 'user',
    writes: true,
    rate,
    body: z.object({ forum_id: forumId, redirect: z.string().default('/forum') }),
  },
  async ({ ctx, body }) => {
    await send(ctx, body.forum_id ?? null);
    return redirect(body.redirect);
  },
);

const link = z.object({
  token: z.string().max(200).default(''),
  id: z.coerce.number().int().min(0).default(0).catch(0),
  forum_id: forumId,
  email: z.string().max(254).optional(),
});

/** The link of the mail shows who confirms what; nothing is done before somebody says yes. */
const page = route.page(
  '/forum/validate_email',
  { name: 'forum.validate_email', query: link, cache: false },
  async ({ ctx, query, render }) => {
    const owner = await readLink(ctx, query);
    return render(
      'forum.validate',
      { owner, query, seo: { title: ctx.t('Confirm your e-mail address'), noindex: true } },
      { status: owner ? 200 : 404 },
    );
  },
);

const confirm = route.form(
  '/forum/validate_email',
  { name: 'forum.validate_email_post', writes: true, body: link },
  async ({ ctx, body, render, url }) => {
    const owner = await readLink(ctx, body);
    if (!owner)
      return render(
        'forum.validate',
        { owner, query: body, seo: { title: ctx.t('Confirm your e-mail address'), noindex: true } },
        { status: 404 },
      );
    // By the numbers of the forum that asked; what a confirmed address brings by itself comes after it, once.
    await grantFirstKarma(ctx, owner.id, body.forum_id ?? null);
    // The link shows that the address is theirs.
    await ctx.sudo().model(User).verifyEmail([owner.id]);
    if (ctx.user.id === owner.id) ctx.session.set('forum.validation_done', true);
    const forum = body.forum_id
      ? await ctx.model(Forum).first([['id', '=', body.forum_id]], { select: { name: true } })
      : null;
    return redirect(url(forum ? forumPath(forum) : '/forum'));
  },
);

/** Puts the note away that says that the address is confirmed. */
const closeCall = route.rpc(
  '/forum/validate_email/close',
  { name: 'forum.validate_close', writes: true },
  ({ ctx }) => {
    if (ctx.session.exists) ctx.session.set('forum.validation_done', false);
    return true;
  },
);
const closeForm = route.form(
  '/forum/validate_email/close/form',
  {
    name: 'forum.validate_close_form',
    auth: 'user',
    writes: true,
    body: z.object({ redirect: z.string().default('/forum') }),
  },
  ({ ctx, body }) => {
    ctx.session.set('forum.validation_done', false);
    return redirect(body.redirect);
  },
);

export const validationRoutes = [sendCall, sendForm, page, confirm, closeCall, closeForm];
