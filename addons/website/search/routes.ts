import { route, z } from 'pergola';
import { Navigation } from '../services/navigation.ts';
import { byName, SiteSearch } from './site-search.ts';

/** Maximum results per kind on the results page and in suggestions. */
const ON_PAGE = 20;
const SUGGESTED = 4;
/** Maximum suggestions in the list of a single app. */
const SUGGESTED_ALONE = 8;

/** Maximum query length; longer texts are truncated. */
const MOST_TYPED = 100;

/** Search results page: for visitors without JavaScript, and for all results beyond the suggestions. */
export const searchPage = route.page(
  '/search',
  {
    name: 'website.search',
    query: z.object({ q: z.string().catch('').default('').transform(normaliseQuery) }),
    // Queries are unlimited in number, so results aren't cached.
    cache: false,
    rate: { calls: 60, seconds: 60 },
  },
  async ({ ctx, query: { q }, render }) => {
    const { groups, corrected } = await ctx.get(SiteSearch).find(q, ON_PAGE);
    // Offers menu entries if there are no results.
    const entries = q !== '' && groups.length === 0 ? await ctx.get(Navigation).items('') : [];
    const menuEntries = entries.filter(({ url }) => url.startsWith('/') && url !== '/');
    return render('website.search', { q, groups, corrected, ways: menuEntries });
  },
);

/** Suggestions for the text typed so far. */
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

function normaliseQuery(text: string): string {
  return text.trim().slice(0, MOST_TYPED);
}
