import { ProductProduct } from '@pergola/sale';
import { type Ctx, type Id, NotAllowed, reply, route, z } from 'pergola';
import type { HttpInput } from 'pergola/http';
import type { ViewKind } from '../models/website-sale-view.ts';
import { cartOf, lastOrderOf } from '../services/cart/session-cart.ts';
import { countStep, countView, type Told } from '../services/count-view.ts';

/** Limit per visitor: more views in a minute aren't a person reading, and aren't counted. */
const rate = { name: 'website_sale.stats', calls: 120, seconds: 60 } as const;
const id = z.coerce.number().int().min(1).max(2_147_483_647);

/**
 * First-party statistics: pages report views by a beacon. Sets no cookies and stores no visitor data. The response is always the same, so
 * that it doesn't reveal which records exist.
 */
function beacon<P extends Readonly<Record<string, z.ZodType>>>(
  path: string,
  kind: ViewKind,
  params: P,
  detailsOf: (input: HttpInput<P, undefined>) => Promise<Told | null>,
) {
  return route.http(
    `/stats/ecom/${path}`,
    {
      name: `website_sale.stats_${kind}`,
      method: 'POST',
      body: 'none',
      params,
      writes: true,
      beacon: true,
      rate,
      csrf: {
        off: 'A beacon carries no token; it is taken from pages of this site only, and changes nothing but a number.',
      },
    },
    async (input) => {
      requireSameOrigin(input.request);
      const details = await detailsOf(input as HttpInput<P, undefined>);
      if (details?.order !== undefined) await countStep(input.ctx, kind, details.order, details);
      else if (details) await countView(input.ctx, kind, details);
      return reply.empty();
    },
  );
}

/** @throws NotAllowed unless the request comes from a page of this site */
function requireSameOrigin({ headers, origin }: HttpInput<never, undefined>['request']): void {
  const site = headers['sec-fetch-site'];
  const from = headers.origin;
  const isOurs =
    site === undefined ? from === origin : site === 'same-origin' && (from === undefined || from === origin);
  if (!isOurs)
    throw new NotAllowed('Statistics can only be sent from pages of this site.', { code: 'website_sale.other_site' });
}

/** Counts only products the caller can see. */
async function viewedProduct(ctx: Ctx, product: Id): Promise<Told | null> {
  const [row] = await ctx.model(ProductProduct).read([product], { select: { active: true } });
  return row ? { product } : null;
}

const noDetails = async (): Promise<Told> => ({});
/** Returns the order of a visitor with a cart, or with a cart just placed. */
const checkoutOrder = async ({ ctx }: { readonly ctx: Ctx }): Promise<Told> => ({
  order: (await cartOf(ctx)) ?? lastOrderOf(ctx),
});

export const statistics = [
  beacon('product_view/:product_id', 'product_view', { product_id: id }, ({ ctx, params }) =>
    viewedProduct(ctx, params.product_id as Id),
  ),
  beacon('product_add_to_cart/:product_id', 'product_add_to_cart', { product_id: id }, ({ ctx, params }) =>
    viewedProduct(ctx, params.product_id as Id),
  ),
  beacon('customer_checkout', 'customer_checkout', {}, checkoutOrder),
  beacon('customer_signin', 'customer_signin', {}, noDetails),
  beacon('customer_signup', 'customer_signup', {}, noDetails),
  beacon('order_checkout', 'order_checkout', {}, checkoutOrder),
  beacon('order_payment/:method', 'order_payment', { method: z.string().min(1).max(64) }, async ({ ctx, params }) => ({
    ...(await checkoutOrder({ ctx })),
    method: String(params.method),
  })),
  beacon('order_confirmed/:order_id', 'order_confirmed', { order_id: id }, async ({ ctx, params }) =>
    // Counts only the visitor's own order.
    lastOrderOf(ctx) === params.order_id ? { order: params.order_id } : null,
  ),
];
