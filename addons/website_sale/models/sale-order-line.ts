import { SaleOrderLine } from '#addons/sale';
import { extend, type Id, type Ids, via } from '#core';
import { ShopTemplate } from './product-template.ts';

/** Lines of orders that begin in the shop. */
export const ShopOrderLine = extend(
  SaleOrderLine,
  {},
  (Base) =>
    class extends Base {
      /** Where what these lines are for is shown, as paths, beside the pages of products; extensions add theirs (the event of a ticket). */
      async pagesOf(_ids: Ids): Promise<Map<Id, string>> {
        return new Map();
      }

      /**
       * Which of these lines of carts may stay there, by what is published: those whose product is in the shop, and those without a product. Extensions add
       * lines that are sold elsewhere (tickets of published events).
       */
      async listed(ids: Ids): Promise<Set<Id>> {
        const rows = await this.read(ids, {
          select: { product_id: { product_tmpl_id: via(ShopTemplate, { website_published: true }) } },
        });
        return new Set(
          rows
            .filter(({ product_id }) => !product_id || product_id.product_tmpl_id?.website_published)
            .map(({ id }) => id),
        );
      }
    },
);
