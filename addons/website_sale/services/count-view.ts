import type { Ctx, Id } from 'pergola';
import { ShopOrder } from '../models/sale-order.ts';
import { ShopView, type ViewKind } from '../models/website-sale-view.ts';

/** Details counted in addition to the kind. */
export interface Told {
  /** Order the step belongs to; null if the caller has no order. */
  readonly order?: Id | null;
  readonly product?: Id;
  readonly method?: string;
}

/** Counts a checkout step once per order, however often its page is loaded. */
export async function countStep(ctx: Ctx, kind: ViewKind, order: Id | null, details: Told): Promise<void> {
  if (order === null) return countView(ctx, kind, details);
  const orders = ctx.sudo().model(ShopOrder); // The order is the caller's own: it is in their session.
  await ctx.lock(ShopOrder, [order]);
  const { counted: countedKinds } = await orders.get(order, { select: { counted: true } });
  const kinds = (countedKinds ?? '').split(' ').filter(Boolean);
  if (kinds.includes(kind)) return;
  await orders.write(order, { counted: [...kinds, kind].join(' ') });
  await countView(ctx, kind, details);
}

/** Adds a view to the shop's statistics. */
export async function countView(ctx: Ctx, kind: ViewKind, { product, method }: Told): Promise<void> {
  await ctx
    .sudo() // Visitors add to the statistics, but can't read them.
    .model(ShopView)
    .create({
      day: ctx.today(),
      kind,
      product_id: product ?? null,
      method: method ?? null,
      website_id: ctx.attributes.website?.id ?? null,
    });
}
