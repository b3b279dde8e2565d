import type { Snippet } from '@pergola/website';
import { block, z } from 'pergola';
import { MailingList } from '../models/list.ts';
import { subscribeForm } from '../services/subscribe-form.ts';

/** Subscription form for visitors, for any page. */
export const subscribeBlock = block('mass_mailing.subscribe', {
  label: 'Subscribe to a mailing list',
  options: z.object({
    /** ID of the list; defaults to the first open list. */
    list: z.coerce
      .number()
      .int()
      .positive()
      .optional()
      .meta({
        title: 'Mailing list',
        records: 'mail.mass_mailing.list',
        where: [['is_public', '=', true]],
        none: 'First open list',
      }),
  }),
  template: 'mass_mailing.subscribe_block',
  load: async (ctx, { list }, request) => {
    const open = [
      ['is_public', '=', true],
      ['active', '=', true],
      ...(list === undefined ? [] : ([['id', '=', list]] as const)),
    ] as const;
    const firstList = await ctx.model(MailingList).first(open, { select: { name: true, description: true } });
    return firstList ? { list: firstList, form: subscribeForm([firstList], request.path) } : {};
  },
});

export const subscribeSnippet: readonly Snippet[] = [
  {
    id: 'mass_mailing.subscribe',
    label: 'Newsletter',
    tab: 'dynamic',
    thumbnail: '/mass_mailing/static/subscribe.svg',
    block: 'mass_mailing.subscribe',
  },
];
