import { Website } from '#addons/website';
import { extend, f } from '#core';

/** What a site says of delivery and returns on the pages of its products. */
export const ShopWebsite = extend(Website, {
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
    ondelete: 'set null',
    label: 'Page about delivery and returns',
    help: 'Both lines lead to it',
  }),
});
