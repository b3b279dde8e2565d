import type { z } from 'zod';
import type schema from '../islands/subscribe.props.ts';

/** Values of the subscription form. */
export type SubscribeForm = z.infer<typeof schema>;

/** Returns an empty form for these lists, or a rejected one with the values in `submitted`. */
export function subscribeForm(
  lists: SubscribeForm['lists'],
  redirect: string,
  submitted: Partial<SubscribeForm> = {},
): SubscribeForm {
  return { lists, chosen: [], redirect, email: '', error: '', ...submitted };
}
