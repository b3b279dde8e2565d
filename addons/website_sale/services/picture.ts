import type { FileRef, Id } from '#core';

/** Sides of the pictures of the shop, in pixels of their box. */
export const sides = { thumb: 192, card: 384, page: 768, zoom: 2400 } as const;

/** The address of a record's picture in a box of this side; null where there is none. */
export function pictureUrl(model: string, id: Id, field: string, file: FileRef | null, side: number): string | null {
  if (!file) return null;
  const query = new URLSearchParams({ model, id: String(id), field, unique: file.hash.slice(0, 12) });
  query.set('width', String(side));
  query.set('height', String(side));
  return `/web/binary/image?${query}`;
}
