import { block, liveValues, z } from 'pergola';
import { anonymousIdentity } from 'pergola/http';
import { MailingList } from '../models/list.ts';
import { subscribeForm } from '../services/subscribe-form.ts';

/** Default list of the page footer by language: the first open one. */
export const footerList = liveValues('mass_mailing.footer_list', {
  read: async (system, lang) => {
    const user = await anonymousIdentity(system);
    if (!user) return null;
    const open = [
      ['is_public', '=', true],
      ['active', '=', true],
    ] as const;
    return system
      .as({ user, lang })
      .model(MailingList)
      .first(open, { select: { name: true } });
  },
});

/** Newsletter form in the page footer. */
export const footerBlock = block('mass_mailing.footer', {
  label: 'Newsletter in the footer',
  options: z.object({}),
  template: 'mass_mailing.footer',
  load: async (ctx, _options, { path }) => {
    const list = await ctx.get(footerList).get(ctx, ctx.lang);
    return list ? { list, form: subscribeForm([{ ...list, description: null }], path) } : {};
  },
});
