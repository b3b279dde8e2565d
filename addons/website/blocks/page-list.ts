import { block, z } from '#core';
import { onWebsite } from '../mixins/published.ts';
import { visibleNow, WebsitePage } from '../models/website-page.ts';
import { isHome } from '../pages/page.ts';

const orders = { name: 'name, id', newest: 'create_date desc, id desc', address: 'url, id' } as const;

/** Pages of this site, all or those below an address. */
export const pageList = block('website.page_list', {
  label: 'Pages',
  options: z.object({
    title: z.string().max(120).default('').meta({ title: 'Title' }),
    below: z.string().max(200).default('').meta({ title: 'Only below this address', help: '/journal' }),
    order: z
      .enum(['name', 'newest', 'address'])
      .default('name')
      .meta({
        title: 'Order',
        labels: [
          { value: 'name', label: 'By name' },
          { value: 'newest', label: 'The newest first' },
          { value: 'address', label: 'By address' },
        ],
      }),
    look: z
      .enum(['cards', 'first', 'rows', 'list'])
      .default('cards')
      .meta({
        title: 'Look',
        labels: [
          { value: 'cards', label: 'Cards' },
          { value: 'first', label: 'Cards, the first one large' },
          { value: 'rows', label: 'Rows with pictures' },
          { value: 'list', label: 'List' },
        ],
      }),
    date: z.boolean().default(false).meta({ title: 'With the date' }),
    limit: z.number().int().min(1).max(60).default(12).meta({ title: 'How many' }),
  }),
  template: 'website.page_list',
  load: async (ctx, { title, below, order, look, date, limit }) => {
    const under = below.replace(/\/+$/, '');
    const found = await ctx
      .model(WebsitePage)
      .find(
        [
          ...visibleNow(ctx),
          ...onWebsite(ctx),
          ['website_indexed', '=', true],
          ...(under === '' ? [] : ([['url', '=like', `${under.replace(/[%_\\]/g, '\\$&')}/%`]] as const)),
        ],
        {
          select: {
            name: true,
            url: true,
            website_id: true,
            create_date: true,
            date_publish: true,
            website_meta_description: true,
            website_meta_og_img: true,
          },
          order: orders[order],
        },
      );
    // Of several pages at one address the site's own is the one that is shown.
    const own = new Set(found.flatMap(({ website_id, url }) => (website_id === null ? [] : [url])));
    const pages = found
      .filter((page) => !isHome(ctx, page) && (page.website_id !== null || !own.has(page.url)))
      .map((page) => ({ ...page, when: page.date_publish ?? page.create_date }));
    if (order === 'newest') pages.sort((one, other) => other.when.getTime() - one.when.getTime());
    const shown = pages.slice(0, limit).map(({ website_meta_og_img: picture, when, ...page }) => ({
      ...page,
      when: date ? when : null,
      // A picture of another site would tell it who reads this page.
      picture: picture?.startsWith('/') && !picture.startsWith('//') ? picture : null,
    }));
    return { title, look, pages: shown };
  },
});
