import { f, type Id, type Ids, mixin } from 'pergola';
import { ProductTemplate } from './product-template.ts';

/** Mixin for models that determine a product's variants: updates the variants after every change. */
export const RenewsVariants = mixin(
  'sale.renews_variants',
  {
    product_tmpl_id: f.many2one('product.template', {
      required: true,
      ondelete: 'cascade',
      index: true,
      label: 'Product',
    }),
  },
  (Base) =>
    class extends Base {
      /** Products of records being deleted. */
      readonly #losing = new Set<Id>();

      override async afterCreate(...args: Parameters<InstanceType<typeof Base>['afterCreate']>): Promise<void> {
        await super.afterCreate(...args);
        await this.#renew(await this.#templates(args[0]));
      }

      override async afterWrite(...args: Parameters<InstanceType<typeof Base>['afterWrite']>): Promise<void> {
        await super.afterWrite(...args);
        const [ids, values] = args;
        if (Object.keys(values).some((name) => name !== 'sequence')) await this.#renew(await this.#templates(ids));
      }

      // Not in `unlink`: exclusions are also deleted with their values.
      override async beforeUnlink(ids: Ids): Promise<void> {
        await super.beforeUnlink(ids);
        for (const template of await this.#templates(ids)) this.#losing.add(template);
      }

      override async afterUnlink(ids: Ids): Promise<void> {
        await super.afterUnlink(ids);
        const templates = [...this.#losing];
        this.#losing.clear();
        await this.#renew(templates);
      }

      async #templates(ids: Ids): Promise<Id[]> {
        const rows = await this.read(ids, { select: { product_tmpl_id: true } });
        return [...new Set(rows.map(({ product_tmpl_id }) => product_tmpl_id))];
      }

      async #renew(templates: Ids): Promise<void> {
        if (templates.length > 0) await this.ctx.model(ProductTemplate).createVariants(templates);
      }
    },
);
