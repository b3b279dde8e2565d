import { type Ctx, type Id, sentence } from 'pergola';
import { routes } from 'pergola/http';
import type { Consequence, Plan, Sentence } from 'pergola/kernel';
import { WebsiteMenu } from '../models/website-menu.ts';
import { WebsitePage } from '../models/website-page.ts';
import { listedAddresses } from './sitemap.ts';

/** Maximum number of pages to count. */
const MAX_PAGES = 10_000;

/** Effects of a switch on the pages and menus of the sites, and on search engines. */
export async function consequences(
  ctx: Ctx,
  leaving: ReadonlySet<string>,
  plan: Plan,
): Promise<readonly Consequence[]> {
  if (leaving.has('website')) return websiteItself(ctx);
  if (leaving.size > 0) return lost(ctx, leaving);
  return plan.action === 'enable' || plan.action === 'upgrade' ? hiddenPages(ctx, plan) : [];
}

async function websiteItself(ctx: Ctx): Promise<readonly Consequence[]> {
  const count = await ctx.model(WebsitePage).count([['website_published', '=', true]]);
  return [{ sentence: sentence('Published pages that visitors can no longer open'), count, stops: true }];
}

async function lost(ctx: Ctx, leaving: ReadonlySet<string>): Promise<readonly Consequence[]> {
  const pages = ctx.model(WebsitePage);
  const shipped = await pages.find(
    [
      ['addon', 'in', [...leaving]],
      ['website_published', '=', true],
    ],
    { select: { name: true }, limit: MAX_PAGES },
  );
  const withBlocks = new Map<Id, { readonly name: string }>();
  for (const addon of leaving) {
    const found = await pages.find([['content', 'like', `data-block="${addon}.`]], {
      select: { name: true },
      limit: MAX_PAGES,
    });
    for (const page of found) withBlocks.set(page.id, page);
  }
  const table = ctx.get(routes);
  const menus = await ctx.model(WebsiteMenu).find([['url', '=like', '/%']], { select: { name: true, url: true } });
  const dead = menus.filter(({ url }) => leaving.has(table.ownerOf(url?.split(/[?#]/)[0] ?? '', 'GET') ?? ''));
  return [
    named(sentence('Pages that visitors can no longer open'), shipped),
    named(sentence('Pages with blocks that will be empty'), [...withBlocks.values()]),
    named(sentence('Menu items that lead nowhere'), dead),
    {
      sentence: sentence('Addresses in the sitemap that stop working'),
      count: await listedAddresses(ctx, leaving),
      stops: true,
    },
  ];
}

function named(text: Sentence, records: readonly { readonly name: string }[]): Consequence {
  return { sentence: text, count: records.length, names: records.map(({ name }) => name), stops: true };
}

/** Pages that new routes of an addon will hide, since the addon takes precedence. */
async function hiddenPages(ctx: Ctx, plan: Plan): Promise<readonly Consequence[]> {
  const patterns = plan.items.flatMap(({ topic, addon, data }) =>
    topic === 'route' && typeof data.path === 'string' && data.method === 'GET' ? [{ addon, path: data.path }] : [],
  );
  if (patterns.length === 0) return [];
  const pages = await ctx.model(WebsitePage).find([], { select: { name: true, url: true } });
  const table = ctx.get(routes);
  return pages.flatMap(({ name, url }) => {
    const met = patterns.find(({ path }) => url !== '/' && table.fits(path, url));
    if (!met) return [];
    const text = 'The page “{page}” at {url} will be hidden, because {addon} uses this address.';
    return [{ sentence: sentence(text, { page: name, url, addon: met.addon }), stops: true }];
  });
}
