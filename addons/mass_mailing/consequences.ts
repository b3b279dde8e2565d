import { type Ctx, sentence } from 'pergola';
import type { Consequence } from 'pergola/kernel';
import { Mailing } from './models/mailing.ts';
import { Subscription } from './models/subscription.ts';

/** Names shown of many. */
const NAMES = 20;

/** Mailings that won’t be sent, and subscribers who can no longer change anything. */
export async function consequences(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  if (!leaving.has('mass_mailing')) return [];
  const unsent = [['state', 'in', ['in_queue', 'sending', 'paused']]] as const;
  const mailings = ctx.model(Mailing);
  const named = await mailings.find(unsent, { select: { name: true }, limit: NAMES });
  return [
    {
      sentence: sentence('Mailings that won’t be sent'),
      count: await mailings.count(unsent),
      names: named.map(({ name }) => name),
      stops: true,
    },
    {
      sentence: sentence('Subscriptions whose unsubscribe link stops working'),
      count: await ctx.model(Subscription).count([['opt_out', '=', false]]),
      stops: true,
    },
  ];
}
