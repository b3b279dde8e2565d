/** Sides of the pictures of the shop, in pixels of their box. */
export const sides = { thumb: 192, card: 384, page: 768, zoom: 2400 } as const;
/** What browsers choose from: for the cards of phones and screens of one and two pixels a point, and for the picture of a product's page. */
export const choices = { card: [192, 256, 320, 500, 768], page: [384, 500, 768, 1280] } as const;
