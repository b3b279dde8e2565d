import { Website } from '@pergola/website';
import { job, z } from 'pergola';
import { countShop } from '../services/catalogue/count-shop.ts';

/** Recounts products by category and value, after products change and once a night. */
export const countFacets = job('website_sale.count_facets', {
  label: 'Update filter counts',
  input: z.object({}),
  cron: '17 3 * * *',
  lease: 10 * 60_000,
  run: async ({ ctx, write, signal }) => {
    for (const website of await ctx.model(Website).search([])) await countShop(ctx, website, { write, signal });
  },
});
