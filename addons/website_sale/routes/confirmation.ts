import { SaleOrder } from '@pergola/sale';
import { redirect, route } from 'pergola';
import { confirmationValues } from '../pages/confirmation.ts';
import { cartOf, lastOrderOf } from '../services/cart/session-cart.ts';
import { statusOf } from '../services/checkout/status.ts';
import { tracking } from '../services/last-order.ts';
import { orderUrl } from '../services/order-url.ts';

/** Thank-you page for the last order, with its payment status. */
export const confirmation = route.page(
  '/shop/confirmation',
  { name: 'website_sale.confirmation', cache: false },
  async ({ ctx, render, url }) => {
    const id = lastOrderOf(ctx);
    const system = ctx.sudo(); // The session shows that the order is the caller's.
    const order =
      id === null
        ? null
        : await system
            .model(SaleOrder)
            .first([['id', '=', id]], { select: { name: true, state: true, is_cart: true, blocked_reason: true } });
    if (!order) return redirect(url('/shop'), 302);
    const status = await statusOf(ctx, order.id);
    // An unpaid cart isn't an order yet: redirects to its payment page.
    if (order.is_cart && status.state !== 'pending' && status.state !== 'done') {
      const isCart = order.id === (await cartOf(ctx));
      return redirect(url(isCart ? '/shop/payment' : await orderUrl(ctx, order.id)), 302);
    }
    return render('website_sale.confirmation', await confirmationValues(ctx, order, status));
  },
);

/** Items of the last purchase, for analytics; `{}` without an order. */
export const trackingLastOrder = route.rpc(
  '/shop/tracking_last_order',
  { name: 'website_sale.tracking_last_order' },
  async ({ ctx }) => {
    const order = lastOrderOf(ctx);
    return order === null ? {} : tracking(ctx, order);
  },
);
