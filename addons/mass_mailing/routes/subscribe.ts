import { action, type Ctx, route, safePath, z } from 'pergola';
import { MailingList } from '../models/list.ts';
import { parseAddress } from '../services/address.ts';
import { mailToken, readConfirmToken } from '../services/links.ts';
import { type SubscribeForm, subscribeForm } from '../services/subscribe-form.ts';
import { Subscribing } from '../services/subscribing.ts';
import { t } from '../texts.ts';

const listId = z.coerce.number().int().positive();
/** Maximum number of lists shown in a form and per subscription. */
const MOST_LISTS = 30;
const listIds = z.union([z.array(listId).max(MOST_LISTS), listId]);
/** Rate-limited, because visitors trigger emails to unconfirmed addresses (C46). */
const rate = [
  { calls: 60, seconds: 3600, by: 'ip' as const, name: 'mass_mailing.subscribe' },
  { calls: 20, seconds: 60, by: 'ip' as const, name: 'mass_mailing.subscribe_burst' },
];

export const isSubscriber = route.rpc(
  '/website_mass_mailing/is_subscriber',
  { name: 'mass_mailing.is_subscriber', input: z.object({ list_id: listIds }) },
  ({ ctx, input: { list_id } }) => {
    const subscribing = ctx.get(Subscribing);
    return Array.isArray(list_id)
      ? Promise.all(list_id.map((list) => subscribing.status(list)))
      : subscribing.status(list_id);
  },
);

export const subscribe = action(
  '/website_mass_mailing/subscribe',
  {
    name: 'mass_mailing.subscribe',
    rate,
    input: z.object({
      list_id: listIds.default([]),
      email: z.string().max(400).default(''),
      redirect: z.string().optional(),
    }),
    form: {
      invalid: async ({ ctx, values: { email = '' }, fields: { list_id = [] }, message, render }) => {
        const submitted = { chosen: list_id.map(Number).filter(Number.isSafeInteger), email, error: message };
        return render('mass_mailing.subscribe_page', await pageValues(ctx, submitted));
      },
    },
  },
  async ({ ctx, input }): Promise<true> => {
    await ctx.get(Subscribing).subscribe([input.list_id].flat(), input.email);
    return true;
  },
  async ({ ctx, input, render }) => {
    const subscribing = ctx.get(Subscribing);
    const lists = await subscribing.openLists([input.list_id].flat());
    const statuses = await Promise.all(lists.map(({ id }) => subscribing.status(id)));
    const { email } = parseAddress(input.email);
    // A subscriber may have entered a different address.
    const isOn = statuses.every((status) => status.is_subscriber && status.email === email);
    const names = lists.map(({ name }) => name).join(', ');
    const message = isOn
      ? t(ctx, 'You’re subscribed to: {lists}.', { lists: names })
      : t(ctx, 'Thanks! You’ll get an email. Open its link to confirm your subscription.');
    const back = safePath(input.redirect ?? '/');
    return render('mass_mailing.notice', { title: names, message, tone: 'success', mailed: !isOn, back });
  },
);

/** Form with all open lists. */
const newsletter = route.page('/newsletter', { name: 'mass_mailing.newsletter' }, async ({ ctx, render }) =>
  render('mass_mailing.subscribe_page', await pageValues(ctx)),
);

async function pageValues(ctx: Ctx, submitted: Partial<SubscribeForm> = {}) {
  const lists = await ctx.model(MailingList).find(
    [
      ['is_public', '=', true],
      ['active', '=', true],
    ],
    { select: { name: true, description: true }, limit: MOST_LISTS },
  );
  return {
    only: lists.length === 1 ? lists[0] : null,
    form: lists.length > 0 ? subscribeForm(lists, '/newsletter', submitted) : null,
  };
}

const token = { token: z.string().max(2_000) };

const confirmPage = route.page(
  '/mass_mailing/confirm/:token',
  { name: 'mass_mailing.confirm_page', params: token, cache: false },
  async ({ ctx, params, render }) => {
    const link = readConfirmToken(ctx, params.token);
    const lists = link ? await ctx.get(Subscribing).openLists(link.lists) : [];
    if (!link || lists.length === 0) return render('mass_mailing.notice', gone(ctx), { status: 404 });
    return render('mass_mailing.ask', {
      title: t(ctx, 'Confirm your subscription'),
      message: t(ctx, 'Subscribe {email} to: {lists}?', {
        lists: lists.map(({ name }) => name).join(', '),
        email: link.email,
      }),
      action: t(ctx, 'Yes, subscribe me'),
      path: `/mass_mailing/confirm/${params.token}`,
    });
  },
);

const confirmForm = route.form(
  '/mass_mailing/confirm/:token',
  { name: 'mass_mailing.confirm_form', params: token, writes: true, body: z.object({}) },
  async ({ ctx, params, render }) => {
    const link = readConfirmToken(ctx, params.token);
    const confirmed = link && (await ctx.get(Subscribing).confirm(link));
    if (!confirmed) return render('mass_mailing.notice', gone(ctx), { status: 404 });
    return render('mass_mailing.notice', {
      title: t(ctx, 'Thank you'),
      message: t(ctx, 'You’re subscribed to: {lists}.', { lists: confirmed.names.join(', ') }),
      tone: 'success',
      back: '/',
      other: preferencesLink(ctx, mailToken(ctx, { contact: confirmed.contact, mailing: 0 })),
    });
  },
);

/** Link to the email preferences of an address. */
export function preferencesLink(ctx: Ctx, token: string) {
  return { path: `/mass_mailing/preferences/${token}`, label: t(ctx, 'Manage preferences') };
}

/** Page content for links that are expired, altered, or whose target was deleted. */
export function gone(ctx: Ctx) {
  return {
    title: t(ctx, 'This link no longer works'),
    message: t(
      ctx,
      'It has expired or wasn’t copied in full. Subscribe again, or use the link in a more recent email.',
    ),
    tone: 'warning',
    back: '/',
  };
}

export const subscribeRoutes = [isSubscriber, subscribe, newsletter, confirmPage, confirmForm];
