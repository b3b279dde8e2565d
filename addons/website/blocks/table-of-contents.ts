import { block, z } from 'pergola';
import { homePage, pageAt } from '../pages/page.ts';
import { plainPath } from '../services/address.ts';
import { headingsOf } from '../services/headings.ts';
import { pageShown } from '../services/page-shown.ts';

/** Links to the headings of the current page. */
export const tableOfContents = block('website.table_of_contents', {
  label: 'Table of Contents',
  options: z.object({
    title: z.string().max(120).default('').meta({ title: 'Title' }),
    depth: z.number().int().min(2).max(4).default(2).meta({ title: 'Deepest heading level' }),
  }),
  template: 'website.table_of_contents',
  load: async (ctx, { title, depth }, request) => {
    const [path = '/'] = pageShown(request).split(/[?#]/);
    const plain = plainPath(ctx.attributes.website, path);
    const page = await (plain === '/' ? homePage(ctx) : pageAt(ctx, plain));
    return { title, headings: headingsOf(page?.content ?? '').filter(({ level }) => level <= depth) };
  },
});
