import { action, NotFound, redirect, route, safePath, z } from 'pergola';
import type { SentForm } from 'pergola/http';
import { Forum } from '../models/forum.ts';
import { EmailValidation } from '../services/email-validation.ts';
import { t } from '../texts.ts';
import { recordId } from './params.ts';
import { forumPath } from './paths.ts';

const forumId = recordId.optional().catch(undefined);
/** Returns to the page that showed the banner. */
const backTo = ({ values }: SentForm): string => safePath(values.redirect || '/forum');
const rate = [{ calls: 20, seconds: 600, by: 'user' as const, name: 'forum.validation' }];

export const sendValidation = action(
  '/forum/send_validation_email',
  {
    name: 'forum.send_validation_email',
    auth: 'user',
    rate,
    // Odoo clients send false instead of null.
    input: z.object({
      forum_id: z.union([recordId, z.literal(false), z.null()]).optional(),
      redirect: z.string().default('/forum'),
    }),
    form: { page: backTo },
  },
  async ({ ctx, input }) => {
    if (input.forum_id && (await ctx.model(Forum).count([['id', '=', input.forum_id]])) === 0)
      throw new NotFound('We can’t find that forum.', { code: 'forum.no_forum' });
    await ctx.get(EmailValidation).send(input.forum_id || null);
    return true;
  },
  ({ input }) => input.redirect,
);

const link = z.object({
  token: z.string().max(200).default(''),
  id: z.coerce.number().int().min(0).default(0).catch(0),
  forum_id: forumId,
  email: z.string().max(254).optional(),
});

/** Shows which address will be confirmed; only submitting the form confirms it. */
const page = route.page(
  '/forum/validate_email',
  { name: 'forum.validate_email', query: link, cache: false },
  async ({ ctx, query, render }) => {
    const owner = await ctx.get(EmailValidation).ownerOf(query);
    return render(
      'forum.validate',
      { owner, query, seo: { title: t(ctx, 'Confirm your email address'), noindex: true } },
      { status: owner ? 200 : 404 },
    );
  },
);

const confirm = route.form(
  '/forum/validate_email',
  {
    name: 'forum.validate_email_post',
    page: ({ values }) => `/forum/validate_email?${new URLSearchParams(values)}`,
    writes: true,
    body: link,
  },
  async ({ ctx, body, render, url }) => {
    const validation = ctx.get(EmailValidation);
    const owner = await validation.ownerOf(body);
    if (!owner)
      return render(
        'forum.validate',
        { owner, query: body, seo: { title: t(ctx, 'Confirm your email address'), noindex: true } },
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
export const closeValidation = action(
  '/forum/validate_email/close',
  {
    name: 'forum.validate_close',
    form: { auth: 'user', page: backTo },
    input: z.object({ redirect: z.string().default('/forum') }),
  },
  ({ ctx }) => {
    if (ctx.session.exists) ctx.session.set('forum.validation_done', false);
    return true;
  },
  ({ input }) => input.redirect,
);

export const validationRoutes = [sendValidation, page, confirm, closeValidation];
