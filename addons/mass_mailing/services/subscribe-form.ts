import type { z } from 'zod';
import type schema from '../islands/subscribe.props.ts';

/** What the form to subscribe shows. */
export type SubscribeForm = z.infer<typeof schema>;

/** An empty form for these lists, or what `about` says of one that comes back. */
export function subscribeForm(
  lists: SubscribeForm['lists'],
  redirect: string,
  about: Partial<SubscribeForm> = {},
): SubscribeForm {
  return { lists, chosen: [], redirect, email: '', error: '', ...about };
}
