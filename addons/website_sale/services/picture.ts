import type { FileRef, Id, Ids } from 'pergola';
import { pictureSet, pictureUrl } from 'pergola/pages';

/** Picture sizes of the shop: side of the bounding box, in pixels. */
export const sides = { thumb: 192, card: 384, page: 768, zoom: 2400 } as const;

/** A picture and its record. */
export interface Picture {
  readonly model: string;
  readonly id: Id;
  readonly field: string;
  readonly file: FileRef;
  /** Subject of the picture; defaults to the product. */
  readonly name?: string;
}

/** Product fields needed for its pictures. */
export const picturesSelect = {
  image: true,
  image_ids: { name: true, image: true, value_id: true, product_id: true },
} as const;

/** Fields of a product that its pictures need. */
export interface Pictured {
  readonly id: Id;
  readonly image: FileRef | null;
  readonly image_ids: readonly {
    readonly id: Id;
    readonly name: string;
    readonly image: FileRef;
    readonly value_id: Id | null;
    readonly product_id: Id | null;
  }[];
}
interface PicturedVariant {
  readonly id: Id;
  readonly image_variant: FileRef | null;
  readonly values: Ids;
}

/**
 * Returns the pictures of a product in order, as for one of its variants: the variant's own and its values' pictures replace the main one,
 * followed by pictures common to all variants.
 */
export function picturesOf(product: Pictured, variant?: PicturedVariant): Picture[] {
  const { id, image: file, image_ids } = product;
  const extra = image_ids.map(({ image, ...row }) => ({
    ...row,
    picture: { model: 'product.image', id: row.id, field: 'image', file: image, name: row.name },
  }));
  const main = file ? [{ model: 'product.template', id, field: 'image', file }] : [];
  const variantPictures = variant
    ? [
        ...(variant.image_variant
          ? [{ model: 'product.product', id: variant.id, field: 'image_variant', file: variant.image_variant }]
          : []),
        ...extra.filter(({ product_id }) => product_id === variant.id).map(({ picture }) => picture),
        ...extra
          .filter(
            ({ value_id, product_id }) => product_id === null && value_id !== null && variant.values.includes(value_id),
          )
          .map(({ picture }) => picture),
      ]
    : [];
  const common = extra.filter(({ value_id, product_id }) => value_id === null && product_id === null);
  return [...(variantPictures.length > 0 ? variantPictures : main), ...common.map(({ picture }) => picture)];
}

/** Returns the URL of a picture, limited to a size. */
export function urlOf({ model, id, field, file }: Picture, side: number): string {
  return pictureUrl(model, id, field, file, side);
}

/** Returns the URLs of a picture in several sizes, for `srcset`. */
export function setOf({ model, id, field, file }: Picture, size: 'card' | 'page'): string {
  return pictureSet(model, id, field, file, size);
}
