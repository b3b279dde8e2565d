import { type Ctx, data, type Id, ref } from 'pergola';
import { ProductProduct } from '../models/product-product.ts';
import { SaleOrder } from '../models/sale-order.ts';

const DAY = 24 * 3600_000;

/** Quotations and orders in several states. */
export default data(SaleOrder, async (ctx) => {
  const variant = await variantsOf(ctx, ['service_design', 'service_build', 'service_care']);
  const [design, build, care] = variant;
  const daysAgo = (days: number): Date => new Date(ctx.now().getTime() - days * DAY);
  const lines = (all: readonly (readonly [number | undefined, string])[]) =>
    all.map(([product_id, product_uom_qty]) => ({ create: { product_id, product_uom_qty } }));
  return {
    quotation_portal: {
      partner_id: ref('base.demo_portal_partner'),
      date_order: daysAgo(2),
      state: 'sent' as const,
      order_line: lines([
        [design, '3.5'],
        [build, '1'],
      ]),
    },
    quotation_northwind: {
      partner_id: ref('base.demo_northwind_ana'),
      pricelist_id: ref('dollars'),
      date_order: daysAgo(1),
      client_order_ref: 'NW-2207',
      order_line: lines([[build, '4']]),
    },
    order_lausanne: {
      partner_id: ref('base.demo_lausanne'),
      date_order: daysAgo(9),
      date_confirm: daysAgo(6),
      state: 'sale' as const,
      order_line: lines([
        [design, '6'],
        [care, '2'],
      ]),
    },
    order_delft: {
      partner_id: ref('base.demo_delft'),
      date_order: daysAgo(40),
      date_confirm: daysAgo(38),
      state: 'done' as const,
      order_line: lines([[care, '1']]),
    },
    order_waiting: {
      partner_id: ref('base.demo_portal_partner'),
      date_order: daysAgo(1),
      date_confirm: daysAgo(1),
      state: 'sale' as const,
      payment_acquirer_id: ref('transfer'),
      order_line: lines([
        [design, '2'],
        [care, '1'],
      ]),
    },
  };
});

async function variantsOf(ctx: Ctx, names: readonly string[]): Promise<(Id | undefined)[]> {
  const ids: (Id | undefined)[] = [];
  for (const name of names) {
    const template = await ctx.ref(`sale.${name}`);
    const [product] = await ctx.model(ProductProduct).search([['product_tmpl_id', '=', template]]);
    ids.push(product);
  }
  return ids;
}
