import { cutText, Pricing, ProductProduct, SaleOrder } from '@pergola/sale';
import { type Ctx, type Id, type Ids, type Minor, via } from 'pergola';
import { pictureUrl } from 'pergola/pages';
import { productUrl, ShopTemplate } from '../models/product-template.ts';
import { removedLine } from '../services/cart/change-cart.ts';
import { holdView } from '../services/cart/hold.ts';
import { type LineView, linesOf, named } from '../services/cart/lines.ts';
import { mergeTexts } from '../services/cart/merge-carts.ts';
import { type PromoNews, promoView } from '../services/cart/promo-view.ts';
import { cartOf, isBeingPaid } from '../services/cart/session-cart.ts';
import { totalsOf } from '../services/cart/totals.ts';
import { currencyViews, isDiscount, priceView } from '../services/catalogue/price-view.ts';
import { majorUnits } from '../services/catalogue/product-data.ts';
import { stepsOf } from '../services/checkout/steps.ts';
import { sides } from '../services/picture.ts';
import { pricingContext } from '../services/pricing-context.ts';
import { t } from '../texts.ts';

/** Number of accessories offered below the cart. */
const MAX_SUGGESTED = 3;

/** Why the cart differs from the request, and the lines whose price changed. */
export interface CartNews {
  readonly note?: string;
  readonly repriced?: Ids;
  /** Result of a promo code. */
  readonly promo?: PromoNews;
}

/** Returns the values of the cart page. */
export async function cartValues(ctx: Ctx, { note = '', repriced = [], promo }: CartNews = {}) {
  const order = await cartOf(ctx);
  const steps = stepsOf(ctx, 1);
  const summary = {
    steps,
    notes: [...(order === null ? [] : mergeTexts(ctx, order)), ...noteOf(ctx, note)],
    guest: ctx.user.id === null,
    promo: await promoView(ctx, promo),
    removed: removedLine(ctx, order),
  };
  if (order === null) return { ...summary, lines: null, suggested: null };
  const system = ctx.sudo(); // The cart is the caller's own.
  const totals = await totalsOf(system, order);
  const lines = await linesOf(ctx, order, totals.currency);
  const frozen = await isBeingPaid(ctx, order);
  const newPrices = repricedTexts(ctx, lines, repriced);
  return {
    ...summary,
    notes: newPrices.length > 0 ? [...mergeTexts(ctx, order), ...newPrices] : summary.notes,
    problems: frozen || lines.length === 0 ? null : await problemTexts(ctx, order),
    order: { id: order },
    lines: lines.length > 0 ? lines.map((line) => ({ ...line, amount: priceView(line.total, line.currency) })) : null,
    totals,
    frozen,
    holdUntil: await holdView(ctx, order),
    suggested: await suggestionsFor(
      ctx,
      lines.flatMap(({ product }) => product ?? []),
    ),
  };
}

/** Returns a summary of the caller's cart for the panel below the header. */
export async function cartGlance(ctx: Ctx) {
  const order = await cartOf(ctx);
  if (order === null) return { lines: [], total: null };
  const { total, currency } = await totalsOf(ctx.sudo(), order); // The cart is the caller's own.
  const lines = await linesOf(ctx, order, currency);
  const money = (amount: Minor) => ({ ...priceView(amount, currency), value: majorUnits(amount, currency) });
  return {
    lines: lines.map(({ id, name, url, image, quantity, total: amount }) => ({
      id,
      name,
      url,
      image,
      quantity,
      amount: money(amount),
    })),
    total: money(total),
  };
}

/** Returns the distinct reasons why the caller's cart can't be ordered, or null if it can. */
export async function problemTexts(ctx: Ctx, order: Id): Promise<readonly string[] | null> {
  const problems = await ctx
    .sudo() // The cart is the caller's own.
    .model(SaleOrder)
    .problems(order);
  return problems.length > 0 ? [...new Set(problems.map(({ message }) => message))] : null;
}

function repricedTexts(ctx: Ctx, lines: readonly LineView[], repriced: Ids): string[] {
  return lines
    .filter(({ id }) => repriced.includes(id))
    .map(({ name }) => t(ctx, '“{name}” has a new price.', { name }));
}

function noteOf(ctx: Ctx, note: string): readonly string[] {
  switch (note) {
    case 'short':
      return [t(ctx, 'There aren’t as many left as you wanted, so we’ve reduced the quantity in your cart.')];
    case 'whole':
    case 'most':
      return [cutText(ctx, note)];
    case 'out':
      return [t(ctx, 'It’s sold out, so it wasn’t added to your cart.')];
    case 'code':
      return [t(ctx, 'Your promo code is no longer valid. These are the prices without it.')];
    case 'changed':
      return [t(ctx, 'Something in your cart has changed. Please check it again.')];
    default:
      return [];
  }
}

/** Accessories of products in the cart, except those already in it. */
async function suggestionsFor(ctx: Ctx, products: readonly Id[]) {
  if (products.length === 0) return null;
  const rows = await ctx
    .sudo() // The cart is the caller's; the offered products are read with the caller's rights below.
    .model(ProductProduct)
    .read(products, { select: { product_tmpl_id: via(ShopTemplate, { accessory_product_ids: true }) } });
  const accessoryIds = [
    ...new Set(rows.flatMap(({ product_tmpl_id }) => product_tmpl_id?.accessory_product_ids ?? [])),
  ];
  const candidateIds = accessoryIds.filter((id) => !products.includes(id)).slice(0, MAX_SUGGESTED * 2);
  const visible = await ctx.model(ProductProduct).read(candidateIds, { select: { display_name: true } });
  const ids = visible.map(({ id }) => id).slice(0, MAX_SUGGESTED);
  return ids.length > 0 ? suggestions(ctx, ids) : null;
}

async function suggestions(ctx: Ctx, ids: readonly Id[]) {
  const system = ctx.sudo(); // The caller may see these products.
  const rows = await system.model(ProductProduct).read(ids, {
    select: {
      image_variant: true,
      attribute_value_ids: { name: true, attribute_id: true, sequence: true },
      product_tmpl_id: via(ShopTemplate, { name: true, image: true }),
    },
  });
  const prices = await system.get(Pricing).shown(
    await pricingContext(ctx),
    rows.map(({ id }) => ({ product: id })),
  );
  const currencies = await currencyViews(
    ctx,
    prices.flatMap((price) => price?.currency ?? []),
  );
  return rows.flatMap(({ id, image_variant, attribute_value_ids, product_tmpl_id: template }, index) => {
    const price = prices[index];
    const currency = price && currencies.get(price.currency);
    if (!price || !currency || !template) return [];
    const discount = isDiscount(price.price, price.list, currency);
    return [
      {
        id,
        name: named(template.name, attribute_value_ids),
        url: productUrl(template.id, template.name),
        image:
          pictureUrl('product.product', id, 'image_variant', image_variant, sides.thumb) ??
          pictureUrl('product.template', template.id, 'image', template.image, sides.thumb),
        price: priceView(price.price, currency),
        list: discount ? priceView(price.list, currency) : null,
        discount,
      },
    ];
  });
}
