import { extend, type Id, type Ids, via } from 'pergola';
import { SaleOrder, SaleOrderLine } from '#addons/sale';
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
       * Which of these lines of carts may stay there, by what is published on the cart's website: those whose product is in the shop, and those without a
       * product. Extensions add lines that are sold elsewhere (tickets of published events).
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

      /** The websites that the orders of lines began on; null for those of salespeople. */
      async sitesOf(ids: Ids): Promise<ReadonlyMap<Id, Id | null>> {
        const lines = await this.read(ids, { select: { order_id: true } });
        const orders = (await this.ctx.model(SaleOrder).read([...new Set(lines.map(({ order_id }) => order_id))], {
          select: { website_id: true } as never, // Added by an extension that stands on this one.
        })) as unknown as readonly { readonly id: Id; readonly website_id: Id | null }[];
        const sites = new Map(orders.map(({ id, website_id }) => [id, website_id]));
        return new Map(lines.map(({ id, order_id }) => [id, sites.get(order_id) ?? null]));
      }
    },
);

/** Whether something that is shown on one website, or on all (null), is shown on the website of an order. */
export function isOnSite(website: Id | null, site: Id | null): boolean {
  return website === null || site === null || website === site;
}
