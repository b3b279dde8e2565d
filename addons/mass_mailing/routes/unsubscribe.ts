import { type Ctx, redirect, route, z } from 'pergola';
import { readMailToken } from '../services/links.ts';
import { MailPreferences } from '../services/preferences.ts';
import { t } from '../texts.ts';
import { gone, preferencesLink } from './subscribe.ts';

const token = { token: z.string().max(200) };

const unsubscribePage = route.page(
  '/mass_mailing/unsubscribe/:token',
  { name: 'mass_mailing.unsubscribe_page', params: token, cache: false },
  async ({ ctx, params, render }) => {
    const link = readMailToken(ctx, params.token);
    if (link?.contact === 0) return render('mass_mailing.notice', testPage(ctx));
    const email = link && (await ctx.get(MailPreferences).email(link));
    if (!link || !email) return render('mass_mailing.notice', gone(ctx), { status: 404 });
    const lists = (await ctx.get(MailPreferences).lists(link)).map(({ name }) => name).join(', ');
    return render('mass_mailing.ask', {
      title: t(ctx, 'Unsubscribe'),
      message: t(ctx, 'Unsubscribe {email} from: {lists}?', { email, lists }),
      action: t(ctx, 'Unsubscribe'),
      path: `/mass_mailing/unsubscribe/${params.token}`,
      other: preferencesLink(ctx, params.token),
    });
  },
);

/** Used by the button on the page above and by mail clients: takes effect immediately, without confirmation (RFC 8058). */
const unsubscribeForm = route.form(
  '/mass_mailing/unsubscribe/:token',
  {
    name: 'mass_mailing.unsubscribe_form',
    params: token,
    writes: true,
    // Mail clients send List-Unsubscribe=One-Click, which adds nothing to the URL.
    body: z.object({}),
    csrf: { off: 'One-click unsubscribe of mail programs (RFC 8058); the signed link is the proof.' },
  },
  async ({ ctx, params, render }) => {
    const link = readMailToken(ctx, params.token);
    if (link?.contact === 0) return render('mass_mailing.notice', testPage(ctx));
    const lists = link && (await ctx.get(MailPreferences).unsubscribe(link));
    if (!lists) return render('mass_mailing.notice', gone(ctx), { status: 404 });
    return render('mass_mailing.notice', {
      title: t(ctx, 'You’re unsubscribed'),
      message: t(ctx, 'You’ll no longer get emails from: {lists}.', { lists: lists.join(', ') }),
      tone: 'success',
      back: '/',
      other: preferencesLink(ctx, params.token),
    });
  },
);

const preferencesPage = route.page(
  '/mass_mailing/preferences/:token',
  { name: 'mass_mailing.preferences_page', params: token, cache: false },
  async ({ ctx, params, render }) => {
    const link = readMailToken(ctx, params.token);
    if (link?.contact === 0) return render('mass_mailing.notice', testPage(ctx));
    const preferences = link && (await ctx.get(MailPreferences).of(link));
    if (!preferences) return render('mass_mailing.notice', gone(ctx), { status: 404 });
    return render('mass_mailing.preferences', { ...preferences, path: `/mass_mailing/preferences/${params.token}` });
  },
);

const preferencesBody = z.object({
  list: z.array(z.coerce.number().int()).optional(),
  exclude: z.literal('on').optional(),
});

const preferencesForm = route.form(
  '/mass_mailing/preferences/:token',
  {
    name: 'mass_mailing.preferences_form',
    page: '/mass_mailing/preferences/:token',
    params: token,
    writes: true,
    body: preferencesBody,
  },
  async ({ ctx, params, body, render }) => {
    const link = readMailToken(ctx, params.token);
    if (link?.contact === 0) return render('mass_mailing.notice', testPage(ctx));
    const saved = link && (await ctx.get(MailPreferences).save(link, new Set(body.list ?? []), body.exclude === 'on'));
    const preferences = saved && (await ctx.get(MailPreferences).of(link));
    if (!preferences) return render('mass_mailing.notice', gone(ctx), { status: 404 });
    return render('mass_mailing.preferences', {
      ...preferences,
      saved: true,
      path: `/mass_mailing/preferences/${params.token}`,
    });
  },
);

const ownPath = '/my/newsletter';

/** Same page for signed-in users, based on the address of their account. */
const ownPage = route.page(
  ownPath,
  { name: 'mass_mailing.own_page', auth: 'user', query: z.object({ saved: z.literal('1').optional() }), cache: false },
  async ({ ctx, query, render }) => {
    const preferences = await ctx.get(MailPreferences).own();
    const saved = query.saved === '1';
    return render('mass_mailing.preferences', { ...preferences, saved, path: ownPath, account: true });
  },
);

const ownForm = route.form(
  ownPath,
  { name: 'mass_mailing.own_form', auth: 'user', page: ownPath, writes: true, body: preferencesBody },
  async ({ ctx, body, url }) => {
    const saved = await ctx.get(MailPreferences).saveOwn(new Set(body.list ?? []), body.exclude === 'on');
    return redirect(url(ownPath) + (saved ? '?saved=1' : ''));
  },
);

export const unsubscribeRoutes = [unsubscribePage, unsubscribeForm, preferencesPage, preferencesForm, ownPage, ownForm];

/** Page content for links in test emails. */
function testPage(ctx: Ctx) {
  return {
    title: t(ctx, 'This is a test email'),
    message: t(ctx, 'This link comes from a test email. In the actual mailing, each recipient gets their own link.'),
    tone: 'info',
    back: '/',
  };
}
