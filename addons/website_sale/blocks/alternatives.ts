import { block, type Ctx, type Id, z } from 'pergola';
import { ShopTemplate } from '../models/product-template.ts';
import { type Card, cardSelect, cardsById, cardsOf } from '../services/catalogue/cards.ts';
import { mainCategory, readCategories, withBelow } from '../services/catalogue/categories.ts';
import { wholeShop } from '../services/catalogue/domain.ts';
import { readProduct } from '../services/catalogue/product-data.ts';
import { orders } from '../services/catalogue/product-query.ts';

/** Number of products shown on a product page. */
const ALTERNATIVES = 4;

/** Alternatives to a product: the ones chosen for it, or the first products of its category if none were chosen. */
export const alternativesBlock = block('website_sale.alternatives', {
  label: 'You may also like',
  options: z.object({ product: z.number().int().min(0).default(0) }),
  template: 'website_sale.alternatives',
  load: async (ctx, { product }) => ({ cards: product === 0 ? [] : await alternativesTo(ctx, product) }),
});

async function alternativesTo(ctx: Ctx, product: Id): Promise<Card[]> {
  const data = await readProduct(ctx, product);
  const alternativeIds = data.alternative_product_ids.slice(0, ALTERNATIVES);
  if (alternativeIds.length > 0) return cardsById(ctx, alternativeIds);
  const nodes = await readCategories(ctx);
  const category = mainCategory(data, nodes);
  if (category === null) return [];
  const rows = await ctx
    .model(ShopTemplate)
    .find(
      [
        ...wholeShop(ctx),
        ['website_published', '=', true],
        ['public_categ_ids', 'in', withBelow(nodes, category)],
        ['id', '!=', product],
      ],
      { select: cardSelect, order: orders.featured.sql, limit: ALTERNATIVES },
    );
  return cardsOf(ctx, rows);
}
