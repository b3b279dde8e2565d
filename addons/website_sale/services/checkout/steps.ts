import type { Ctx } from 'pergola';
import { t } from '../../texts.ts';

/** A step of the checkout. */
export interface Step {
  readonly label: string;
  /** Null for steps that can't be reached from here. */
  readonly url: string | null;
  readonly done: boolean;
  readonly current: boolean;
}

/**
 * Steps of the checkout as shown at the top of its pages; `position` ranges from 1 for the cart to 4 for the confirmation. A gift has no
 * payment step.
 */
export function stepsOf(ctx: Ctx, position: 1 | 2 | 3 | 4, gift = false): readonly Step[] {
  const labels = [t(ctx, 'Cart'), t(ctx, 'Address'), t(ctx, 'Payment'), t(ctx, 'Done')];
  const urls = ['/shop/cart', '/shop/checkout', '/shop/payment', null];
  const steps = labels.map((label, index) => ({
    label,
    // Steps of a placed order can't be revisited.
    url: index + 1 < position && position < 4 ? (urls[index] ?? null) : null,
    done: index + 1 < position,
    current: index + 1 === position,
  }));
  return gift ? steps.filter((_, index) => index !== 2) : steps;
}
