import type { Ctx } from 'pergola';
import { t } from '../../texts.ts';

/** A step on the way to an order. */
export interface Step {
  readonly label: string;
  /** Null for steps one cannot go to from here. */
  readonly url: string | null;
  readonly done: boolean;
  readonly current: boolean;
}

/** The way to an order as it stands at the top of its pages; `at` is 1 for the cart, 4 for the confirmation. Of a gift nothing is paid. */
export function stepsOf(ctx: Ctx, at: 1 | 2 | 3 | 4, gift = false): readonly Step[] {
  const labels = [t(ctx, 'Cart'), t(ctx, 'Address'), t(ctx, 'Payment'), t(ctx, 'Done')];
  const urls = ['/shop/cart', '/shop/checkout', '/shop/payment', null];
  const steps = labels.map((label, place) => ({
    label,
    // What is paid is over.
    url: place + 1 < at && at < 4 ? (urls[place] ?? null) : null,
    done: place + 1 < at,
    current: place + 1 === at,
  }));
  return gift ? steps.filter((_, place) => place !== 2) : steps;
}
