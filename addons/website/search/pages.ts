import { onWebsite } from '../mixins/published.ts';
import { visibleNow, WebsitePage } from '../models/website-page.ts';
import type { Searchable } from './point.ts';

/** The site's pages, as visitors find them. */
export const searchedPages: Searchable = {
  id: 'website.page',
  label: 'Pages',
  icon: 'file-text',
  async find(ctx, text, limit) {
    const rows = await ctx.model(WebsitePage).find([['id', 'matches', text], ...visibleNow(ctx), ...onWebsite(ctx)], {
      select: { name: true, website_url: true, website_meta_description: true },
      limit,
    });
    return rows.map(({ name, website_url, website_meta_description }) => ({
      title: name,
      url: website_url ?? '/',
      text: website_meta_description,
    }));
  },
  async names(ctx, limit) {
    const rows = await ctx
      .model(WebsitePage)
      .find([...visibleNow(ctx), ...onWebsite(ctx)], { select: { name: true }, order: 'id desc', limit });
    return rows.map(({ name }) => name);
  },
};
