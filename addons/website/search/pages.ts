import type { Ctx } from 'pergola';
import { hasWords } from 'pergola/kernel';
import { onWebsite } from '../mixins/published.ts';
import { visibleNow, WebsitePage } from '../models/website-page.ts';
import { Navigation } from '../services/navigation.ts';
import type { Searchable, SearchHit } from './point.ts';

/** Pages of the site visible to visitors. */
export const searchedPages: Searchable = {
  id: 'website.page',
  label: 'Pages',
  icon: 'file-text',
  async find(ctx, text, limit) {
    const rows = await ctx.model(WebsitePage).find([['id', 'matches', text], ...visibleNow(ctx), ...onWebsite(ctx)], {
      select: { name: true, website_url: true, website_meta_description: true },
      limit,
    });
    const hits: SearchHit[] = rows.map(({ name, website_url, website_meta_description }) => ({
      title: name,
      url: website_url ?? '/',
      text: website_meta_description,
    }));
    const entries = (await entriesOf(ctx)).filter(
      ({ title, url }) => hasWords(title, text) && hits.every((hit) => hit.url !== url),
    );
    return [...entries, ...hits].slice(0, limit);
  },
  async names(ctx, limit) {
    const rows = await ctx
      .model(WebsitePage)
      .find([...visibleNow(ctx), ...onWebsite(ctx)], { select: { name: true }, order: 'id desc', limit });
    return [...(await entriesOf(ctx)).map(({ title }) => title), ...rows.map(({ name }) => name)];
  },
};

/** Menu targets on this site; lists of addons aren't website pages. */
async function entriesOf(ctx: Ctx): Promise<SearchHit[]> {
  const navigation = ctx.get(Navigation);
  const top = [...(await navigation.items('')), ...(await navigation.items('', 'footer'))];
  const entries = top.flatMap((entry) => [entry, ...entry.children]).filter(({ url }) => url.startsWith('/'));
  return [...new Map(entries.map(({ name, url }) => [url, { title: name, url }])).values()];
}
