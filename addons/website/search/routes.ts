import { route, z } from 'pergola';
import { Navigation } from '../services/navigation.ts';
import { byName, SiteSearch } from './site-search.ts';

/** Of each kind on the page of results, and in the list below the field. */
const ON_PAGE = 20;
const SUGGESTED = 4;
/** In the list of one app. */
const SUGGESTED_ALONE = 8;

/** Nobody types more than this; what is longer is cut off. */
const MOST_TYPED = 100;

/** What was found, as a page: the search without JavaScript, and all that a list of suggestions has no room for. */
export const searchPage = route.page(
  '/search',
  {
    name: 'website.search',
    query: z.object({ q: z.string().catch('').default('').transform(asked) }),
    // What people look for is no end of pages.
    cache: false,
    rate: { calls: 60, seconds: 60 },
  },
  async ({ ctx, query: { q }, render }) => {
    const { groups, corrected } = await ctx.get(SiteSearch).find(q, ON_PAGE);
    // Who has found nothing is shown where else to look.
    const entries = q !== '' && groups.length === 0 ? await ctx.get(Navigation).items('') : [];
    const ways = entries.filter(({ url }) => url.startsWith('/') && url !== '/');
    return render('website.search', { q, groups, corrected, ways });
  },
);

/** What a field suggests for what has been typed so far. */
export const suggestions = route.rpc(
  '/website/search/suggest',
  {
    name: 'website.search_suggest',
    input: z.object({ text: z.string().trim().max(MOST_TYPED), addon: z.string().max(100).optional() }),
    rate: { calls: 120, seconds: 60 },
  },
  async ({ ctx, input }) => {
    const limit = input.addon === undefined ? SUGGESTED : SUGGESTED_ALONE;
    const { groups, corrected } = await ctx.get(SiteSearch).find(input.text, limit, input.addon);
    const all = groups.flatMap(({ label, hits }) =>
      hits.map(({ title, url, image, note }) => ({ title, url, kind: label, image, note })),
    );
    return byName(all, corrected ?? input.text, ({ title }) => title);
  },
);

function asked(text: string): string {
  return text.trim().slice(0, MOST_TYPED);
}
