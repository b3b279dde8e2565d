import { block, z } from 'pergola';
import { addressOf, CountryNames } from './footer.ts';

/** Contact details of the site's company. */
export const addressBlock = block('website.address', {
  label: 'Address',
  options: z.object({ title: z.string().max(120).default('').meta({ title: 'Title' }) }),
  template: 'website.address',
  load: async (ctx, { title }) => {
    const company = ctx.attributes.website?.company;
    return { title, company: company ? addressOf(company, ctx.get(CountryNames).of(company.country, ctx.lang)) : null };
  },
});
