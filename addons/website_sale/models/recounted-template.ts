import { extend, type FieldsOf, type Ids, type Values } from 'pergola';
import { countFacets } from '../jobs/count-facets.ts';
import { ShopTemplate } from './product-template.ts';

type ShopFields = FieldsOf<InstanceType<typeof ShopTemplate>>;

/** Fields that affect the product counts. */
const countedFields = [
  'active',
  'sale_ok',
  'website_published',
  'website_id',
  'public_categ_ids',
  'attribute_line_ids',
];

/**
 * Recounts products for categories and filters shortly after products change. Separate from `ShopTemplate`, which the counting job reads.
 */
export const RecountedTemplate = extend(
  ShopTemplate,
  {},
  (Base) =>
    class extends Base {
      override async afterCreate(ids: Ids, values: readonly Values<ShopFields>[]): Promise<void> {
        await super.afterCreate(ids, values);
        await this.#countAgain();
      }

      override async afterWrite(ids: Ids, values: Values<ShopFields>): Promise<void> {
        await super.afterWrite(ids, values);
        if (countedFields.some((name) => name in values)) await this.#countAgain();
      }

      override async afterUnlink(ids: Ids): Promise<void> {
        await super.afterUnlink(ids);
        await this.#countAgain();
      }

      async #countAgain(): Promise<void> {
        if (this.ctx.writes) await this.ctx.jobs.enqueue(countFacets, {}, { key: 'all' });
      }
    },
);
