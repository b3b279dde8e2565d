import { Partner } from '@pergola/base';
import { extend, f, type Ids, InvalidInput } from 'pergola';

/** Adds the default delivery address to customers. */
export const ShopPartner = extend(
  Partner,
  {
    default_delivery_id: f.many2one('res.partner', {
      empty: 'none',
      copy: false,
      label: 'Default shipping address',
      domain: [['type', '=', 'delivery']],
    }),
  },
  (Base) =>
    class extends Base {
      override async validate(ids: Ids, changed: ReadonlySet<string>): Promise<void> {
        await super.validate(ids, changed);
        if (!changed.has('default_delivery_id')) return;
        const rows = await this.ctx
          .sudo() // Users who may write the contact may learn whether the address belongs to it.
          .model(ShopPartner)
          .read(ids, { select: { default_delivery_id: { parent_id: true, type: true } } });
        for (const { id, default_delivery_id: address } of rows) {
          if (!address || (address.parent_id === id && address.type === 'delivery')) continue;
          const message = 'Choose one of the contact’s shipping addresses.';
          throw new InvalidInput(message, {
            code: 'website_sale.other_address',
            fields: { default_delivery_id: message },
          });
        }
      }
    },
);
