import { block, z } from 'pergola';
import { addressOf, CountryNames } from './footer.ts';

/** How to reach the company whose site it is. */
export const addressBlock = block('website.address', {
  label: 'Address',
  options: z.object({ title: z.string().max(120).default('').meta({ title: 'Title' }) }),
  template: 'website.address',
  load: async (ctx, { title }) => {
    const company = ctx.attributes.website?.company;
    return { title, company: company ? addressOf(company, ctx.get(CountryNames).of(company.country, ctx.lang)) : null };
  },
});
