import { confirmedEmail } from '@pergola/base';
import { action, route, safePath, z } from 'pergola';
import { readLink } from '../services/follow-links.ts';
import { Following } from '../services/following.ts';
import { t } from '../texts.ts';

const record = { id: z.coerce.number().int().positive() };
/** Rate-limited, because visitors trigger emails to unconfirmed addresses (C46). */
const rate = [
  { calls: 60, seconds: 3600, by: 'ip' as const, name: 'mail.follow' },
  { calls: 20, seconds: 60, by: 'ip' as const, name: 'mail.follow_burst' },
];

/** Whether the caller follows a record. */
export const isFollower = route.rpc(
  '/website_mail/is_follower',
  { name: 'mail.is_follower', input: z.object({ model: z.string().max(100), ...record }) },
  async ({ ctx, input }) => {
    // Returns the caller's own address, never another follower's.
    const email = (await confirmedEmail(ctx)) ?? '';
    return {
      is_user: ctx.user.id !== null,
      email,
      is_follower: await ctx
        .get(Following)
        .follows(input.model, input.id)
        .catch(() => false),
      alias_name: false,
    };
  },
);

/** Starts or stops following a record: immediately for signed-in users, by email link for visitors. */
export const follow = action(
  '/website_mail/follow',
  {
    name: 'mail.follow',
    rate,
    input: z.object({
      object: z.string().max(100),
      ...record,
      /** Current state; defaults to the state known to the server. */
      message_is_follower: z.enum(['on', 'off']).optional(),
      email: z.union([z.string().max(254), z.literal(false), z.null()]).optional(),
      redirect: z.string().optional(),
    }),
    form: {
      invalid: ({ ctx, values, errors, message, render }) =>
        render('mail.follow_page', {
          title: t(ctx, 'Follow'),
          message: '',
          again: { object: values.object, id: values.id, email: values.email, error: errors.email ?? message },
        }),
    },
  },
  async ({ ctx, input: { object, id, message_is_follower, email } }) => {
    const follows = message_is_follower ? message_is_follower === 'on' : await ctx.get(Following).follows(object, id);
    return ctx.get(Following).toggle(object, id, follows, email || '');
  },
  ({ ctx, input, result: now, render }) => {
    if (input.redirect) return safePath(input.redirect);
    const isMailed = now && ctx.user.id === null;
    const message = !now
      ? t(ctx, 'You’re no longer following this.')
      : isMailed
        ? t(ctx, 'You’ll get an email. Open its link to confirm.')
        : t(ctx, 'You’re now following this.');
    return render('mail.follow_page', { title: t(ctx, 'Follow'), done: true, message, mailed: isMailed });
  },
);

const token = { token: z.string().max(1000) };

const followPage = route.page(
  '/mail/follow/:token',
  { name: 'mail.follow_page', params: token, cache: false },
  async ({ ctx, params, render }) => {
    const link = readLink(ctx, 'follow', params.token);
    const name = link ? await ctx.get(Following).nameOf(link) : '';
    if (!link || !name)
      return render(
        'mail.follow_page',
        { title: t(ctx, 'Follow'), done: true, message: t(ctx, 'This link is no longer valid.') },
        { status: 404 },
      );
    return render('mail.follow_page', {
      title: t(ctx, 'Follow {name}', { name }),
      message: t(ctx, 'Send updates on {name} to {email}?', { name, email: link.email }),
      action: t(ctx, 'Yes, follow'),
      path: `/mail/follow/${params.token}`,
    });
  },
);

const followConfirm = route.form(
  '/mail/follow/:token',
  { name: 'mail.follow_confirm', params: token, writes: true, body: z.object({}) },
  async ({ ctx, params, render }) => {
    const link = readLink(ctx, 'follow', params.token);
    const isFollowing = link !== null && (await ctx.get(Following).followByLink(link));
    const message = isFollowing ? t(ctx, 'You’re now following this.') : t(ctx, 'This link is no longer valid.');
    return render(
      'mail.follow_page',
      { title: t(ctx, 'Follow'), done: true, message },
      { status: isFollowing ? 200 : 404 },
    );
  },
);

const unfollowPage = route.page(
  '/mail/unfollow/:token',
  { name: 'mail.unfollow_page', params: token, cache: false },
  async ({ ctx, params, render }) => {
    const link = readLink(ctx, 'unfollow', params.token);
    const title = t(ctx, 'Stop following');
    if (!link)
      return render(
        'mail.follow_page',
        { title, done: true, message: t(ctx, 'This link is no longer valid.') },
        { status: 404 },
      );
    return render('mail.follow_page', {
      title,
      message: t(ctx, 'Stop sending updates to {email}?', { email: link.email }),
      action: title,
      path: `/mail/unfollow/${params.token}`,
    });
  },
);

const unfollowConfirm = route.form(
  '/mail/unfollow/:token',
  {
    name: 'mail.unfollow_confirm',
    params: token,
    writes: true,
    // Mail clients send List-Unsubscribe=One-Click, which adds nothing to the URL.
    body: z.object({}),
    csrf: { off: 'One-click unsubscribe of mail programs (RFC 8058); the signed link is the proof.' },
  },
  async ({ ctx, params, render }) => {
    const link = readLink(ctx, 'unfollow', params.token);
    if (link) await ctx.get(Following).unfollowByLink(link);
    const message = link ? t(ctx, 'You’re no longer following this.') : t(ctx, 'This link is no longer valid.');
    return render(
      'mail.follow_page',
      { title: t(ctx, 'Stop following'), done: true, message },
      { status: link ? 200 : 404 },
    );
  },
);

export const followRoutes = [isFollower, follow, followPage, followConfirm, unfollowPage, unfollowConfirm];
