import { Website } from '@pergola/website';
import { extend, type FieldsOf, f, type Ids, type Values } from 'pergola';
import { countFacets } from '../jobs/count-facets.ts';

/**
 * Delivery and returns lines for a site's product pages, and its terms of sale. Counts the shop's filters right after a site is created.
 */
export const ShopWebsite = extend(
  Website,
  {
    shop_delivery: f.char({
      size: 200,
      translate: true,
      label: 'Delivery note',
      help: 'Shown next to each product’s button, for example “Delivered in 4 working days”',
    }),
    shop_returns: f.char({
      size: 200,
      translate: true,
      label: 'Returns note',
      help: 'Shown below the delivery note, for example “14-day returns”',
    }),
    shop_delivery_page_id: f.many2one('website.page', {
      ondelete: 'restrict',
      label: 'Delivery and returns page',
      help: 'Linked from both notes',
    }),
    shop_terms_page_id: f.many2one('website.page', {
      ondelete: 'restrict',
      label: 'Terms of sale page',
      help: 'Linked next to the order button; customers accept them by ordering',
    }),
  },
  (Base) =>
    class extends Base {
      override async afterCreate(ids: Ids, values: readonly Values<FieldsOf<Website>>[]): Promise<void> {
        await super.afterCreate(ids, values);
        if (this.ctx.writes) await this.ctx.jobs.enqueue(countFacets, {}, { key: 'all' });
      }

      // Releases the pages about delivery and terms, so that they can be deleted with the site.
      override async beforeUnlink(ids: Ids): Promise<void> {
        await this.write(ids, { shop_delivery_page_id: null, shop_terms_page_id: null });
        await super.beforeUnlink(ids);
      }
    },
);
