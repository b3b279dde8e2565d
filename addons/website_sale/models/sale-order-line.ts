import { SaleOrder, SaleOrderLine } from '@pergola/sale';
import { extend, type Id, type Ids, via } from 'pergola';
import { ShopTemplate } from './product-template.ts';

/** Lines of shop orders. */
export const ShopOrderLine = extend(
  SaleOrderLine,
  {},
  (Base) =>
    class extends Base {
      /**
       * Paths of the pages that show what the lines are for, other than product pages. Extensions add their pages (the event of a ticket).
       */
      async pagesOf(_ids: Ids): Promise<Map<Id, string>> {
        return new Map();
      }

      /**
       * Returns the cart lines whose items are still sold on the cart's website: published products, and lines without a product.
       * Extensions add lines that are sold elsewhere (tickets of published events).
       */
      async listed(ids: Ids): Promise<Set<Id>> {
        const rows = await this.read(ids, {
          select: { product_id: { product_tmpl_id: via(ShopTemplate, { website_published: true, website_id: true }) } },
        });
        const sites = await this.sitesOf(ids);
        return new Set(
          rows
            .filter(({ id, product_id }) => {
              const template = product_id?.product_tmpl_id;
              return (
                !product_id || (template?.website_published && isOnSite(template.website_id, sites.get(id) ?? null))
              );
            })
            .map(({ id }) => id),
        );
      }

      /** Returns the website of each line's order, or null for orders by salespeople. */
      async sitesOf(ids: Ids): Promise<ReadonlyMap<Id, Id | null>> {
        const lines = await this.read(ids, { select: { order_id: true } });
        const orders = (await this.ctx.model(SaleOrder).read([...new Set(lines.map(({ order_id }) => order_id))], {
          select: { website_id: true } as never, // Declared by an extension that depends on this model.
        })) as unknown as readonly { readonly id: Id; readonly website_id: Id | null }[];
        const sites = new Map(orders.map(({ id, website_id }) => [id, website_id]));
        return new Map(lines.map(({ id, order_id }) => [id, sites.get(order_id) ?? null]));
      }
    },
);

/** Whether a record shown on one website, or on all (null), is shown on an order's website. */
export function isOnSite(website: Id | null, site: Id | null): boolean {
  return website === null || site === null || website === site;
}
