import { extend, f } from 'pergola';
import { ProductProduct } from '#addons/sale';

/** Adds pictures to variants. */
export const ShopVariant = extend(ProductProduct, {
  image_ids: f.one2many('product.image', 'product_id', { label: 'More pictures' }),
});
