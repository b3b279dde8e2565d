import { ProductProduct } from '#addons/sale';
import { extend, f } from '#core';

/** Variants may have several pictures of their own. */
export const ShopVariant = extend(ProductProduct, {
  image_ids: f.one2many('product.image', 'product_id', { label: 'More pictures' }),
});
