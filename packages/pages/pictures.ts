import type { FileRef } from '@pergola/files';

/** What an address of a picture needs of its file: an address with the content's hash always means the same bytes, so that it may be kept for ever. */
export type Picture = Pick<FileRef, 'hash'>;

/** In pixels; one number for a square. */
export type Box = number | { readonly width?: number; readonly height?: number };

/**
 * Where a record's picture is served, for everybody who may read its field; null where there is none.
 *
 * @param field an image field of the model, or a smaller size that belongs to it
 * @param box what it has to fit into; its own size when left out
 */
export function pictureUrl(model: string, id: number, field: string, file: Picture, box?: Box): string;
export function pictureUrl(model: string, id: number, field: string, file: Picture | null, box?: Box): string | null;
export function pictureUrl(model: string, id: number, field: string, file: Picture | null, box?: Box): string | null {
  if (!file) return null;
  const { width, height } = typeof box === 'number' ? { width: box, height: box } : (box ?? {});
  const size = width === undefined && height === undefined ? '' : `/${width ?? MOST}x${height ?? MOST}`;
  return `/web/image/${model}/${id}/${field}${size}?unique=${file.hash.slice(0, 12)}`;
}

/** A side that nothing is cut down to. */
const MOST = 4096;

/** Sides that browsers choose from, on phones and screens of one and two pixels a point. */
const SIDES = { card: [192, 256, 320, 500, 768], page: [384, 500, 640, 768, 1280] } as const;

/**
 * The same picture in several sizes, for `srcset`; none larger than the picture is. Empty where its size is not known.
 *
 * @param shown among others (`card`), or large on a page of its own (`page`)
 */
export function pictureSet(
  model: string,
  id: number,
  field: string,
  file: Pick<FileRef, 'hash' | 'width' | 'height'> | null,
  shown: keyof typeof SIDES,
): string {
  const { width = 0, height = 0 } = file ?? {};
  const longest = Math.max(width, height);
  if (!file || width === 0) return '';
  return SIDES[shown]
    .filter((_, place, sides) => (sides[place - 1] ?? 0) < longest)
    .map((side) => `${pictureUrl(model, id, field, file, side)} ${Math.round(width * Math.min(1, side / longest))}w`)
    .join(', ');
}
