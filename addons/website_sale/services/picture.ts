import type { FileRef, Id } from '#core';

/** Sides of the pictures of the shop, in pixels of their box. */
export const sides = { thumb: 192, card: 384, page: 768, zoom: 2400 } as const;
/** What browsers choose from: for the cards of phones and screens of one and two pixels a point, and for the picture of a product's page. */
const choices = { card: [192, 256, 320, 500, 768], page: [384, 500, 768, 1280] } as const;

/** The address of a record's picture in a box of this side; null where there is none. */
export function pictureUrl(model: string, id: Id, field: string, file: FileRef | null, side: number): string | null {
  if (!file) return null;
  const query = new URLSearchParams({ model, id: String(id), field, unique: file.hash.slice(0, 12) });
  query.set('width', String(side));
  query.set('height', String(side));
  return `/web/binary/image?${query}`;
}

/** The same picture in the sizes it is shown in, for `srcset`; none larger than the picture is. Empty where there is none. */
export function pictureSet(
  model: string,
  id: Id,
  field: string,
  file: FileRef | null,
  shown: keyof typeof choices,
): string {
  const { width = 0, height = 0 } = file ?? {};
  const longest = Math.max(width, height);
  const boxes = choices[shown].filter((_, place, all) => (all[place - 1] ?? 0) < longest);
  const one = (side: number): string =>
    `${pictureUrl(model, id, field, file, side)} ${Math.round(width * Math.min(1, side / longest))}w`;
  return width === 0 ? '' : boxes.map(one).join(', ');
}
