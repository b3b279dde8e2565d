import { extend, f } from 'pergola';
import { ProductProduct } from '#addons/sale';

/** Variants may have several pictures of their own. */
export const ShopVariant = extend(ProductProduct, {
  image_ids: f.one2many('product.image', 'product_id', { label: 'More pictures' }),
});
