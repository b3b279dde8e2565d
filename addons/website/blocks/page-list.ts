import { block, z } from 'pergola';
import { onWebsite } from '../mixins/published.ts';
import { visibleNow, WebsitePage } from '../models/website-page.ts';
import { isHome } from '../pages/page.ts';

const select = {
  name: true,
  url: true,
  website_id: true,
  create_date: true,
  date_publish: true,
  website_meta_description: true,
  website_meta_og_img: true,
} as const;

/** Pages of this site, all or those below a path. */
export const pageList = block('website.page_list', {
  label: 'Pages',
  options: z.object({
    title: z.string().max(120).default('').meta({ title: 'Title' }),
    below: z.string().max(200).default('').meta({ title: 'Only pages under this address', help: '/journal' }),
    order: z
      .enum(['name', 'newest', 'address'])
      .default('name')
      .meta({
        title: 'Sort by',
        labels: [
          { value: 'name', label: 'Name' },
          { value: 'newest', label: 'Newest first' },
          { value: 'address', label: 'Address' },
        ],
      }),
    look: z
      .enum(['cards', 'first', 'rows', 'list'])
      .default('cards')
      .meta({
        title: 'Appearance',
        labels: [
          { value: 'cards', label: 'Cards' },
          { value: 'first', label: 'Cards, first one large' },
          { value: 'rows', label: 'Rows with images' },
          { value: 'list', label: 'List' },
        ],
      }),
    date: z.boolean().default(false).meta({ title: 'Show date' }),
    limit: z.number().int().min(1).max(60).default(12).meta({ title: 'Number of pages' }),
  }),
  template: 'website.page_list',
  load: async (ctx, { title, below: parentPath, order, look, date, limit }) => {
    const under = parentPath.replace(/\/+$/, '');
    const listed = [
      ...visibleNow(ctx),
      ...onWebsite(ctx),
      ['website_indexed', '=', true],
      ...(under === '' ? [] : ([['url', '=like', `${under.replace(/[%_\\]/g, '\\$&')}/%`]] as const)),
    ] as const;
    const rows = ctx.model(WebsitePage);
    // A path can have both a page of this site and a shared page; the home page is left out.
    const maxRows = 2 * (limit + 1);
    const candidates =
      order === 'newest'
        ? [
            ...(await rows.find([...listed, ['date_publish', '=', null]], {
              select,
              order: 'create_date desc, id desc',
              limit: maxRows,
            })),
            ...(await rows.find([...listed, ['date_publish', '!=', null]], {
              select,
              order: 'date_publish desc, id desc',
              limit: maxRows,
            })),
          ]
        : await rows.find(listed, { select, order: order === 'name' ? 'name, id' : 'url, id', limit: maxRows });
    // A page of this site replaces the shared page at the same path.
    const addresses = candidates.flatMap(({ website_id, url }) => (website_id === null ? [url] : []));
    const replacing = await rows.find([...listed, ['website_id', '!=', null], ['url', 'in', addresses]], {
      select: { url: true },
    });
    const replacedUrls = new Set(replacing.map(({ url }) => url));
    const pages = candidates
      .filter((page) => !isHome(ctx, page) && (page.website_id !== null || !replacedUrls.has(page.url)))
      .map((page) => ({ ...page, when: page.date_publish ?? page.create_date }));
    if (order === 'newest') pages.sort((a, b) => b.when.getTime() - a.when.getTime());
    const visiblePages = pages.slice(0, limit).map(({ website_meta_og_img: picture, when: publishedAt, ...page }) => ({
      ...page,
      when: date ? publishedAt : null,
      // Images from other sites would reveal to them who reads this page.
      picture: picture?.startsWith('/') && !picture.startsWith('//') ? picture : null,
    }));
    return { title, look, pages: visiblePages };
  },
});
