import { ProductProduct } from '@pergola/sale';
import { extend, f } from 'pergola';

/** Adds pictures to variants. */
export const ShopVariant = extend(ProductProduct, {
  image_ids: f.one2many('product.image', 'product_id', { label: 'More images' }),
});
