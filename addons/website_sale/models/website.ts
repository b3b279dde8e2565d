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
      label: 'Delivery, in a line',
      help: 'Beside the button of each product: At your door within four working days',
    }),
    shop_returns: f.char({
      size: 200,
      translate: true,
      label: 'Returns, in a line',
      help: 'Below it: Fourteen days to change your mind',
    }),
    shop_delivery_page_id: f.many2one('website.page', {
      ondelete: 'restrict',
      label: 'Page about delivery and returns',
      help: 'Both lines lead to it',
    }),
    shop_terms_page_id: f.many2one('website.page', {
      ondelete: 'restrict',
      label: 'Page with the terms of sale',
      help: 'Named beside the button that orders: whoever presses it accepts them',
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
