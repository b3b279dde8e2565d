import { Country } from '@pergola/base';
import { type Ctx, type Id, InvalidInput, redirect, reply, route, Unauthenticated, xmlText, z } from 'pergola';
import { ForumUser } from '../models/res-users.ts';
import { badgePage } from '../pages/badge.ts';
import { badgesPage } from '../pages/badges.ts';
import { headerOf } from '../pages/header.ts';
import { notificationsPage } from '../pages/notifications.ts';
import { userPage, webAddress } from '../pages/user.ts';
import { userEditPage } from '../pages/user-edit.ts';
import { usersPage } from '../pages/users.ts';
import { Profiles, visibilityOf } from '../services/profiles.ts';
import { t } from '../texts.ts';
import { forumParam, idParam, notHere, pageParam, recordId } from './params.ts';
import { forumPath, userPath } from './paths.ts';

const forumOnly = { forum: forumParam };
const withUser = { forum: forumParam, user: idParam };

const users = route.page(
  '/forum/:forum/users',
  { name: 'forum.users', params: forumOnly },
  async ({ ctx, params, render }) => render('forum.users', await usersPage(ctx, params.forum, 1)),
);
const usersFurther = route.page(
  '/forum/:forum/users/page/:page',
  { name: 'forum.users_page', params: { ...forumOnly, page: pageParam } },
  async ({ ctx, params, render }) => render('forum.users', await usersPage(ctx, params.forum, params.page)),
);

const user = route.page(
  '/forum/:forum/user/:user',
  { name: 'forum.user', params: withUser },
  async ({ ctx, params: { forum, user: id }, render, url }) => {
    const { header, viewer } = await headerOf(ctx, forum, 'users');
    const profile = await ctx.get(Profiles).of(id);
    const visibility = visibilityOf(profile, viewer);
    if (!profile || visibility === 'gone') return redirect(url(forumPath(forum)), 302);
    if (visibility === 'private') {
      return render('forum.private_profile', { header, seo: { title: t(ctx, 'Private profile'), noindex: true } });
    }
    return render('forum.user', { header, ...(await userPage(ctx, forum, viewer, profile)) });
  },
);

const profileBody = z.object({
  name: z.string().trim().min(1).max(120),
  website: z
    .string()
    .trim()
    .max(200)
    .default('')
    .refine((text) => text === '' || webAddress(text) !== null, 'Enter a web address, such as https://example.org.'),
  city: z.string().trim().max(80).default(''),
  country: z.union([z.literal(''), recordId]).default(''),
  description: z.string().trim().max(1000).default(''),
  website_published: z.boolean().default(false),
  digest: z.enum(['none', 'daily', 'weekly']).default('weekly'),
});

/** Members can only edit their own profile. */
function requireSelf(ctx: Ctx, user_: Id): void {
  if (ctx.user.id === null) throw new Unauthenticated('Sign in first.', { code: 'core.sign_in_first' });
  if (ctx.user.id !== user_) throw notHere();
}

const edit = route.page(
  '/forum/:forum/user/:user/edit',
  {
    name: 'forum.user_edit',
    auth: 'user',
    params: withUser,
    query: z.object({ email_required: z.string().optional() }),
  },
  async ({ ctx, params, query, render }) => {
    requireSelf(ctx, params.user);
    const faults = { emailRequired: query.email_required === '1' };
    return render('forum.user_edit', await userEditPage(ctx, params.forum, params.user, faults));
  },
);

const save = route.form(
  '/forum/:forum/user/:user/save',
  {
    name: 'forum.user_save',
    auth: 'user',
    params: withUser,
    writes: true,
    body: profileBody,
    invalid: async ({ ctx, params, render, values, errors, message }) => {
      requireSelf(ctx, params.user);
      return render('forum.user_edit', await userEditPage(ctx, params.forum, params.user, { values, errors, message }));
    },
  },
  async ({ ctx, params: { forum, user: id }, body, url }) => {
    requireSelf(ctx, id);
    // Customers have no write access to users and contacts, except for their own data here.
    const system = ctx.sudo();
    if (body.country !== '' && (await ctx.model(Country).allowed([body.country], 'read')).length === 0)
      throw new InvalidInput('Choose a country from the list.', {
        code: 'forum.no_country',
        fields: { country: 'Choose a country from the list.' },
      });
    await system.model(ForumUser).write(id, {
      forum_bio: body.description || null,
      forum_website: body.website || null,
      forum_city: body.city || null,
      forum_country_id: body.country === '' ? null : body.country,
      forum_digest: body.digest,
      website_published: body.website_published,
      name: body.name,
    });
    return redirect(url(userPath(forum, id)));
  },
);

/** Redirects from a contact to the page of its user. */
const partner = route.page(
  '/forum/:forum/partner/:partner',
  { name: 'forum.partner', params: { forum: forumParam, partner: idParam } },
  async ({ ctx, params: { forum, partner: id }, url }) => {
    const [userId] = await ctx
      .sudo()
      .model(ForumUser)
      .search(
        [
          ['partner_id', '=', id],
          ['active', '=', true],
        ],
        { limit: 1 },
      );
    return redirect(url(userId === undefined ? forumPath(forum) : userPath(forum, userId)), 302);
  },
);

/** Small profile picture, or the first letter of the name. */
const avatar = route.http(
  '/forum/user/:user/avatar',
  { name: 'forum.avatar', method: 'GET', params: { user: idParam } },
  async ({ ctx, params: { user: id } }) => {
    const profile = await ctx.get(Profiles).of(id);
    const isShown = profile !== null && (profile.karma > 0 || profile.id === ctx.user.id);
    if (isShown && profile.picture) return redirect(profile.picture, 302);
    const letter = isShown ? xmlText(profile.initial) : '?';
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" viewBox="0 0 96 96"><rect width="96" height="96" fill="#1f6b4a"/><text x="48" y="62" font-family="sans-serif" font-size="42" fill="#fff" text-anchor="middle">${letter}</text></svg>`;
    return reply.body(svg, 'image/svg+xml', { 'cache-control': 'private, max-age=300' });
  },
);

const badges = route.page(
  '/forum/:forum/badge',
  { name: 'forum.badges', params: forumOnly },
  async ({ ctx, params: { forum }, render }) => render('forum.badges', await badgesPage(ctx, forum)),
);

const badge = route.page(
  '/forum/:forum/badge/:badge',
  { name: 'forum.badge', params: { forum: forumParam, badge: idParam } },
  async ({ ctx, params: { forum, badge: id }, render }) => render('forum.badge', await badgePage(ctx, forum, id)),
);

const notifications = route.page(
  '/forum/:forum/notifications',
  { name: 'forum.notifications', auth: 'user', params: forumOnly },
  async ({ ctx, params: { forum }, render }) => render('forum.notifications', await notificationsPage(ctx, forum)),
);

export const peopleRoutes = [users, usersFurther, user, edit, save, partner, avatar, badges, badge, notifications];
