import { redirect, route, z } from '#core';
import { Forum } from '../models/forum.ts';
import { EmailValidation } from '../services/email-validation.ts';
import { recordId } from './params.ts';
import { forumPath } from './paths.ts';

const forumId = recordId.optional().catch(undefined);
const rate = [{ calls: 20, seconds: 600, by: 'user' as const, name: 'forum.validation' }];

const sendCall = route.rpc(
  '/forum/send_validation_email',
  { name: 'forum.send_validation_email', auth: 'user', writes: true, rate, input: z.object({ forum_id: forumId }) },
  async ({ ctx, input }) => {
    await ctx.get(EmailValidation).send(input.forum_id ?? null);
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
    await ctx.get(EmailValidation).send(body.forum_id ?? null);
    return redirect(body.redirect);
  },
);

const link = z.object({
  token: z.string().max(200).default(''),
  id: z.coerce.number().int().min(0).default(0).catch(0),
  forum_id: forumId,
  email: z.string().max(254).optional(),
});

/** The link of the mail shows who confirms what; nothing is confirmed before its form is sent. */
const page = route.page(
  '/forum/validate_email',
  { name: 'forum.validate_email', query: link, cache: false },
  async ({ ctx, query, render }) => {
    const owner = await ctx.get(EmailValidation).ownerOf(query);
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
    const validation = ctx.get(EmailValidation);
    const owner = await validation.ownerOf(body);
    if (!owner)
      return render(
        'forum.validate',
        { owner, query: body, seo: { title: ctx.t('Confirm your e-mail address'), noindex: true } },
        { status: 404 },
      );
    await validation.confirm(owner, body.forum_id ?? null);
    const forum = body.forum_id
      ? await ctx.model(Forum).first([['id', '=', body.forum_id]], { select: { name: true } })
      : null;
    return redirect(url(forum ? forumPath(forum) : '/forum'));
  },
);

/** Dismisses the banner about the confirmed address. */
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
