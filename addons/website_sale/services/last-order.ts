import { SaleOrder } from '@pergola/sale';
import { type Ctx, decimal, type Id, via } from 'pergola';
import { PublicCategory } from '../models/product-public-category.ts';
import { ShopTemplate } from '../models/product-template.ts';
import { linesOf } from './cart/lines.ts';
import { totalsOf } from './cart/totals.ts';
import { majorUnits } from './catalogue/product-data.ts';

/** An order of the caller in the format of e-commerce trackers. */
export async function tracking(ctx: Ctx, id: Id): Promise<object> {
  const system = ctx.sudo(); // The session shows that the order is the caller's.
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
  const shownLines = new Map((await linesOf(ctx, id, currency)).map((line) => [line.id, line]));
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
      price: Number(shownLines.get(line.id)?.unit ?? 0),
      quantity: decimal(line.product_uom_qty).toNumber(),
    })),
  };
}

/** Name of a product in the shop. Items sold elsewhere (tickets, which share one product) are named after their line. */
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
