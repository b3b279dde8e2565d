import type { FileRef } from '@pergola/files';

/** File data for an image address: an address with the content's hash always returns the same bytes, so it can be cached forever. */
export type Picture = Pick<FileRef, 'hash'>;

/** In pixels; a single number for a square. */
export type Box = number | { readonly width?: number; readonly height?: number };

/**
 * Address of a record's image, for readers of its field; null without an image.
 *
 * @param field an image field of the model, or a smaller size that belongs to it
 * @param box maximum size; the original size if omitted
 */
export function pictureUrl(model: string, id: number, field: string, file: Picture, box?: Box): string;
export function pictureUrl(model: string, id: number, field: string, file: Picture | null, box?: Box): string | null;
export function pictureUrl(model: string, id: number, field: string, file: Picture | null, box?: Box): string | null {
  if (!file) return null;
  const { width, height } = typeof box === 'number' ? { width: box, height: box } : (box ?? {});
  const size = width === undefined && height === undefined ? '' : `/${width ?? MAX_SIDE}x${height ?? MAX_SIDE}`;
  return `/web/image/${model}/${id}/${field}${size}?unique=${file.hash.slice(0, 12)}`;
}

/** Stands for an unlimited side. */
const MAX_SIDE = 4096;

/** Widths offered to browsers, for phones and screens with one or two device pixels per CSS pixel. */
const SIDES = { card: [192, 256, 320, 500, 768], page: [384, 500, 640, 768, 1280] } as const;

/**
 * The image in several sizes, for `srcset`; none larger than the original. Empty if its size is unknown.
 *
 * @param layout in a list (`card`), or large on its own page (`page`)
 */
export function pictureSet(
  model: string,
  id: number,
  field: string,
  file: Pick<FileRef, 'hash' | 'width' | 'height'> | null,
  layout: keyof typeof SIDES,
): string {
  const { width = 0, height = 0 } = file ?? {};
  const longest = Math.max(width, height);
  if (!file || width === 0) return '';
  return SIDES[layout]
    .filter((_, place, sides) => (sides[place - 1] ?? 0) < longest)
    .map((side) => `${pictureUrl(model, id, field, file, side)} ${Math.round(width * Math.min(1, side / longest))}w`)
    .join(', ');
}
