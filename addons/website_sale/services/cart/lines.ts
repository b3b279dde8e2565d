import { formatPercent, SaleOrder, SaleOrderLine } from '@pergola/sale';
import { type Ctx, type Decimal, decimal, type FileRef, type Id, type Minor, via } from 'pergola';
import { productUrl, ShopTemplate } from '../../models/product-template.ts';
import { ShopOrderLine } from '../../models/sale-order-line.ts';
import { t } from '../../texts.ts';
import { isUnitDiscount } from '../catalogue/discounts.ts';
import { type CurrencyView, type PriceView, unitView } from '../catalogue/price-view.ts';
import { type Pictured, picturesOf, picturesSelect, sides, urlOf } from '../picture.ts';

/** Maximum quantity that the buttons offer. */
const MAX_BUTTON_QUANTITY = 9999;

/** A line of an order for pages. */
export interface LineView {
  readonly id: Id;
  readonly product: Id | null;
  readonly name: string;
  /** Details of the line, shown below its name. */
  readonly details: string | null;
  readonly url: string | null;
  readonly image: string | null;
  readonly isTicket: boolean;
  readonly quantity: number;
  readonly most: number;
  /** Unit price, with or without tax like other prices on pages. */
  readonly unit: Decimal;
  readonly unitPrice: PriceView;
  /** Unit price before pricelist rules. */
  readonly list: PriceView;
  readonly discount: boolean;
  /** Discount in per cent; empty for none. */
  readonly off: string;
  readonly total: Minor;
  readonly currency: CurrencyView;
  /** Why the line can't be ordered like this. */
  readonly problem: string | null;
}

/**
 * Lines of an order that was verified to be the caller's; `ctx` is the caller's, for the language. Carts show products as they are now,
 * orders show them as ordered. Reads with elevated rights.
 */
export async function linesOf(ctx: Ctx, order: Id, currency: CurrencyView): Promise<LineView[]> {
  const system = ctx.sudo(); // The order is the caller's.
  const { order_line, is_cart, state } = await readLines(system, order);
  const prices = await system.model(SaleOrderLine).shown(order_line.map(({ id }) => id));
  const listed = await system.model(ShopOrderLine).listed(order_line.map(({ id }) => id));
  const pages = await system.model(ShopOrderLine).pagesOf(order_line.map(({ id }) => id));
  return order_line.map((line) => {
    const template = line.product_id?.product_tmpl_id ?? null;
    const inShop = template?.website_published === true;
    const quantity = decimal(line.product_uom_qty).toNumber();
    const { unit, list, amount: total } = prices.get(line.id) ?? noPrice;
    const [first = '', ...rest] = line.name.split('\n');
    const values = line.product_id?.attribute_value_ids ?? [];
    return {
      id: line.id,
      product: line.product_id?.id ?? null,
      ...(inShop && state === 'draft'
        ? { name: named(template.name, values), details: template.description_sale }
        : { name: first, details: rest.join('\n') || null }),
      url: inShop ? productUrl(template.id, template.name) : (pages.get(line.id) ?? null),
      image: pictureOf(line.product_id),
      isTicket: !inShop && pages.has(line.id),
      quantity,
      most: MAX_BUTTON_QUANTITY,
      unit,
      unitPrice: unitView(unit, currency),
      list: unitView(list, currency),
      discount: isUnitDiscount(Number(unit), Number(list)),
      off: formatPercent(ctx, line.discount),
      total,
      currency,
      problem: is_cart && !listed.has(line.id) ? t(ctx, 'This item is no longer sold. Please remove it.') : null,
    };
  });
}

/** For lines that were just deleted. */
const noPrice = { unit: '0', list: '0', amount: 0 };

function readLines(ctx: Ctx, order: Id) {
  return ctx.model(SaleOrder).get(order, {
    select: {
      is_cart: true,
      state: true,
      order_line: {
        name: true,
        product_uom_qty: true,
        discount: true,
        product_id: {
          image_variant: true,
          attribute_value_ids: { name: true, attribute_id: true, sequence: true },
          product_tmpl_id: via(ShopTemplate, {
            ...picturesSelect,
            name: true,
            description_sale: true,
            website_published: true,
          }),
        },
      },
    },
  });
}

/** `Apron (Green, M)`: values in the order of their attributes, in every language. */
export function named(
  name: string,
  values: readonly { readonly name: string; readonly attribute_id: Id; readonly sequence: number | null }[],
): string {
  if (values.length === 0) return name;
  const sorted = values.toSorted((a, b) => a.attribute_id - b.attribute_id || (a.sequence ?? 0) - (b.sequence ?? 0));
  return `${name} (${sorted.map((value) => value.name).join(', ')})`;
}

interface PicturedVariant {
  readonly id: Id;
  readonly image_variant: FileRef | null;
  readonly attribute_value_ids: readonly { readonly id: Id }[];
  readonly product_tmpl_id: Pictured | null;
}

/** Picture of a variant. */
function pictureOf(product: PicturedVariant | null): string | null {
  if (!product?.product_tmpl_id) return null;
  const values = product.attribute_value_ids.map(({ id }) => id);
  const [first] = picturesOf(product.product_tmpl_id, { ...product, values });
  return first ? urlOf(first, sides.thumb) : null;
}
