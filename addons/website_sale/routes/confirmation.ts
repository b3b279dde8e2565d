import { SaleOrder } from '#addons/sale';
import { type Ctx, decimal, type Id, redirect, route, via } from '#core';
import { PublicCategory } from '../models/product-public-category.ts';
import { ShopTemplate } from '../models/product-template.ts';
import { linesOf } from '../services/cart/lines.ts';
import { lastOrderOf } from '../services/cart/session-cart.ts';
import { totalsOf } from '../services/cart/totals.ts';
import { majorUnits } from '../services/catalogue/product-data.ts';
import { orderAddresses } from '../services/checkout/order-address.ts';
import { type StatusView, statusOf } from '../services/checkout/status.ts';
import { stepsOf } from '../services/checkout/steps.ts';
import { orderUrl } from '../services/order-url.ts';

/** Thanks for the order that was placed last, with how its payment stands. */
export const confirmation = route.page(
  '/shop/confirmation',
  { name: 'website_sale.confirmation', cache: false },
  async ({ ctx, render, url }) => {
    const id = lastOrderOf(ctx);
    const system = ctx.sudo(); // The session says that the order is the caller's.
    const order =
      id === null
        ? null
        : await system
            .model(SaleOrder)
            .first([['id', '=', id]], { select: { name: true, state: true, is_cart: true, blocked_reason: true } });
    if (!order) return redirect(url('/shop'), 302);
    const status = await statusOf(ctx, order.id);
    // A cart that was not paid is no order.
    if (order.is_cart && status.state !== 'pending' && status.state !== 'done')
      return redirect(url('/shop/payment'), 302);
    const totals = await totalsOf(system, order.id);
    return render('website_sale.confirmation', {
      steps: stepsOf(ctx, 4),
      order: { id: order.id, name: order.name ?? '', url: await orderUrl(ctx, order.id) },
      thanks: status.state !== 'error' && status.state !== 'cancel',
      status,
      written: isWritten(order, status),
      pending: status.state === 'pending',
      lines: await linesOf(ctx, order.id, totals.currency),
      totals,
      ...(await orderAddresses(ctx, order.id)),
    });
  },
);

/** Whether a mail about it went out: for orders that are confirmed, wait for a transfer, or have to be looked at. */
function isWritten(
  order: { readonly state: string; readonly blocked_reason: string | null },
  { state, validation }: StatusView,
): boolean {
  if (order.state === 'sale' || order.state === 'done' || order.blocked_reason !== null) return true;
  return state === 'pending' && validation === 'manual';
}

/** What was bought last, for whoever counts it; `{}` without an order. */
export const trackingLastOrder = route.rpc(
  '/shop/tracking_last_order',
  { name: 'website_sale.tracking_last_order' },
  async ({ ctx }) => {
    const order = lastOrderOf(ctx);
    return order === null ? {} : tracking(ctx, order);
  },
);

async function tracking(ctx: Ctx, id: Id): Promise<object> {
  const system = ctx.sudo(); // The session says that the order is the caller's.
  const order = await system.model(SaleOrder).first([['id', '=', id]], {
    select: {
      amount_total: true,
      amount_tax: true,
      company_id: { name: true },
      order_line: {
        name: true,
        product_uom_qty: true,
        product_id: {
          ean13: true,
          product_tmpl_id: via(ShopTemplate, { name: true, website_published: true, public_categ_ids: true }),
        },
      },
    },
  });
  if (!order) return {};
  const { currency } = await totalsOf(system, id);
  const shown = new Map((await linesOf(ctx, id, currency)).map((line) => [line.id, line]));
  const categories = await categoryNames(
    system,
    order.order_line.flatMap(({ product_id }) => product_id?.product_tmpl_id?.public_categ_ids ?? []),
  );
  return {
    transaction: {
      id,
      affiliation: order.company_id?.name ?? '',
      revenue: majorUnits(order.amount_total ?? 0, currency),
      tax: majorUnits(order.amount_tax ?? 0, currency),
      currency: currency.code,
    },
    lines: order.order_line.map((line) => ({
      id,
      sku: line.product_id?.ean13 || line.product_id?.id || false,
      name: nameOf(line),
      category: categories.get(line.product_id?.product_tmpl_id?.public_categ_ids[0] ?? 0) ?? '-',
      price: Number(shown.get(line.id)?.unit ?? 0),
      quantity: decimal(line.product_uom_qty).toNumber(),
    })),
  };
}

/** What the shop calls a product; what is sold elsewhere (tickets, of one product all) is told apart by its line. */
function nameOf({
  name,
  product_id,
}: {
  readonly name: string;
  readonly product_id: {
    readonly product_tmpl_id: { readonly name: string; readonly website_published: boolean | null } | null;
  } | null;
}): string {
  const template = product_id?.product_tmpl_id;
  return template?.website_published ? template.name : (name.split('\n', 1)[0] ?? name);
}

async function categoryNames(ctx: Ctx, ids: readonly Id[]): Promise<Map<Id, string>> {
  const rows = await ctx.model(PublicCategory).read([...new Set(ids)], { select: { name: true } });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
