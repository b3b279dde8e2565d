import { ProductPricelist } from '@pergola/sale';
import { MultiWebsite } from '@pergola/website';
import { Conflict, extend, f, type Ids } from 'pergola';
import { codeKey } from '../services/promo-code.ts';
import { t } from '../texts.ts';

/** Pricelists of the shop: the default one, lists visitors can choose, and lists opened by a promo code. */
export const ShopPricelist = extend(
  ProductPricelist,
  {
    code: f.char({
      size: 64,
      copy: false,
      label: 'Promo code',
      groups: 'sale.group_sale_user',
      help: 'Customers who enter it in the cart get these prices',
    }),
    selectable: f.boolean({ label: 'Visitors can choose it', help: 'Listed in the shop’s price menu' }),
  },
  (Base) =>
    class extends Base {
      /** Requires codes to be unique per site. */
      override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
        await super.validate(ids, changed);
        if (!['code', 'active', 'website_id'].some((name) => changed.has(name))) return;
        const system = this.ctx.sudo(); // Codes must be compared for everyone who may write a list.
        // A list for all sites conflicts with the lists of every site.
        const websites = await system.model('website').search([]);
        const lists = await this.invariant('website', websites, () =>
          system
            .model(ShopPricelist)
            .find([['code', '!=', null]], { select: { name: true, code: true, website_id: true } }),
        );
        for (const list of lists.filter(({ id }) => ids.includes(id))) {
          const duplicate = lists.find(
            (candidate) =>
              candidate.id !== list.id &&
              codeKey(candidate.code ?? '') === codeKey(list.code ?? '') &&
              (candidate.website_id === null || list.website_id === null || candidate.website_id === list.website_id),
          );
          if (!duplicate || codeKey(list.code ?? '') === '') continue;
          const message = t(this.ctx, 'The pricelist “{list}” already has this promo code. Choose another code.', {
            list: duplicate.name,
          });
          throw new Conflict(message, { code: 'website_sale.code_taken', fields: { code: message } });
        }
      }
    },
  { mixins: [MultiWebsite] },
);
