/** Sides of the pictures of the shop, in pixels of their box. */
export const sides = { thumb: 192, card: 384, page: 768, zoom: 2400 } as const;
