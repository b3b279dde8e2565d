import { type Ctx, sentence } from 'pergola';
import { routes } from 'pergola/http';
import type { Plan, Sentence } from 'pergola/kernel';
import { WebsitePage } from '../models/website-page.ts';

/** Pages that new routes of an addon will hide, since the addon takes precedence. */
export async function planNotes(ctx: Ctx, plan: Plan): Promise<readonly Sentence[]> {
  if (plan.action !== 'enable' && plan.action !== 'upgrade') return [];
  const patterns = plan.items.flatMap(({ topic, addon, data }) =>
    topic === 'route' && typeof data.path === 'string' && data.method === 'GET' ? [{ addon, path: data.path }] : [],
  );
  if (patterns.length === 0) return [];
  const pages = await ctx
    .sudo()
    .model(WebsitePage)
    .find([], { select: { name: true, url: true } });
  const table = ctx.get(routes);
  return pages.flatMap(({ name, url }) => {
    const met = patterns.find(({ path }) => url !== '/' && table.fits(path, url));
    if (!met) return [];
    const text = 'The page “{page}” at {url} will be hidden, because {addon} uses this address.';
    return [sentence(text, { page: name, url, addon: met.addon })];
  });
}
