import { route, z } from '#core';
import { figuresOf } from '../pages/figures.ts';

/** The figures of the shop, for those who sell. */
export const figures = route.page(
  '/web/shop/figures',
  {
    name: 'website_sale.figures',
    auth: 'user',
    groups: ['sale.group_sale_user'],
    query: z.object({ days: z.number().int().min(1).max(400).catch(30).default(30) }),
    cache: false,
    multilang: false,
  },
  async ({ ctx, query, render }) => render('website_sale.figures', await figuresOf(ctx, query.days)),
);
