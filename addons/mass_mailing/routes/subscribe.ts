import { action, type Ctx, NotFound, route, safePath, z } from '#core';
import { MailingList } from '../models/list.ts';
import { parseAddress } from '../services/address.ts';
import { mailToken, readConfirmToken } from '../services/links.ts';
import { Subscribing } from '../services/subscribing.ts';

const listId = z.coerce.number().int().positive();
/** Rate-limited: visitors make us send mail to addresses nobody has confirmed (C46). */
const rate = [
  { calls: 60, seconds: 3600, by: 'ip' as const, name: 'mass_mailing.subscribe' },
  { calls: 20, seconds: 60, by: 'ip' as const, name: 'mass_mailing.subscribe_burst' },
];

const isSubscriber = route.rpc(
  '/website_mass_mailing/is_subscriber',
  { name: 'mass_mailing.is_subscriber', input: z.object({ list_id: listId }) },
  ({ ctx, input }) => ctx.get(Subscribing).status(input.list_id),
);

export const subscribe = action(
  '/website_mass_mailing/subscribe',
  {
    name: 'mass_mailing.subscribe',
    rate,
    input: z.object({ list_id: listId, email: z.string().max(400).default(''), redirect: z.string().optional() }),
    form: {
      invalid: async ({ ctx, values: { email, list_id }, message, render }) =>
        render('mass_mailing.subscribe_page', {
          ...(await pageValues(ctx)),
          values: { email, list_id: Number(list_id) },
          error: message,
        }),
    },
  },
  async ({ ctx, input }): Promise<true> => {
    await ctx.get(Subscribing).subscribe(input.list_id, input.email);
    return true;
  },
  async ({ ctx, input, render }) => {
    const { name } = await ctx.get(Subscribing).openList(input.list_id);
    const { is_subscriber, email } = await ctx.get(Subscribing).status(input.list_id);
    // Whoever is on the list may have asked for another address.
    const isOn = is_subscriber && email === parseAddress(input.email).email;
    const message = isOn
      ? ctx.t('You are subscribed to “{list}”.', { list: name })
      : ctx.t('Thanks! We have sent you a mail: follow the link in it to confirm your subscription.');
    const back = safePath(input.redirect ?? '/');
    return render('mass_mailing.notice', { title: name, message, tone: 'success', mailed: !isOn, back });
  },
);

/** All lists that are open, each with its form. */
const newsletter = route.page('/newsletter', { name: 'mass_mailing.newsletter' }, async ({ ctx, render }) =>
  render('mass_mailing.subscribe_page', await pageValues(ctx)),
);

async function pageValues(ctx: Ctx) {
  const lists = await ctx.model(MailingList).find(
    [
      ['is_public', '=', true],
      ['active', '=', true],
    ],
    { select: { name: true, description: true }, limit: 30 },
  );
  return { lists };
}

const token = { token: z.string().max(2_000) };

const confirmPage = route.page(
  '/mass_mailing/confirm/:token',
  { name: 'mass_mailing.confirm_page', params: token, cache: false },
  async ({ ctx, params, render }) => {
    const link = readConfirmToken(ctx, params.token);
    const list =
      link &&
      (await ctx
        .get(Subscribing)
        .openList(link.list)
        .catch((error) => nothing(error)));
    if (!link || !list) return render('mass_mailing.notice', gone(ctx), { status: 404 });
    return render('mass_mailing.ask', {
      title: ctx.t('Confirm your subscription'),
      message: ctx.t('Shall “{list}” be sent to {email}?', { list: list.name, email: link.email }),
      action: ctx.t('Yes, subscribe me'),
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
      title: ctx.t('Thank you'),
      message: ctx.t('You are subscribed to “{list}”.', { list: confirmed.name }),
      tone: 'success',
      back: '/',
      other: preferencesLink(ctx, mailToken(ctx, { contact: confirmed.contact, mailing: 0 })),
    });
  },
);

/** The way to what the owner of an address gets. */
export function preferencesLink(ctx: Ctx, token: string) {
  return { path: `/mass_mailing/preferences/${token}`, label: ctx.t('Choose what you get') };
}

/** What is said of links that are too old, altered, or lead to what is no longer there. */
export function gone(ctx: Ctx) {
  return {
    title: ctx.t('This link does not work any more'),
    message: ctx.t(
      'It is too old, or it was not copied whole. Please subscribe again, or use the link in a newer mail.',
    ),
    tone: 'warning',
    back: '/',
  };
}

function nothing(error: unknown): null {
  if (error instanceof NotFound) return null;
  throw error;
}

export const subscribeRoutes = [isSubscriber, subscribe, newsletter, confirmPage, confirmForm];
