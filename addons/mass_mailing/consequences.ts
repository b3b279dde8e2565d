import { type Ctx, sentence } from 'pergola';
import type { Consequence } from 'pergola/kernel';
import { Mailing } from './models/mailing.ts';
import { Subscription } from './models/subscription.ts';

/** Mailings that won’t be sent, and subscribers who can no longer change anything. */
export async function consequences(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  if (!leaving.has('mass_mailing')) return [];
  const mailings = await ctx.model(Mailing).find([['state', 'in', ['in_queue', 'sending', 'paused']]], {
    select: { name: true },
    limit: 100,
  });
  return [
    {
      sentence: sentence('Mailings that won’t be sent'),
      count: mailings.length,
      names: mailings.map(({ name }) => name),
      stops: true,
    },
    {
      sentence: sentence('Subscriptions whose unsubscribe link stops working'),
      count: await ctx.model(Subscription).count([['opt_out', '=', false]]),
      stops: true,
    },
  ];
}
