import { block, z } from 'pergola';
import { languagePath, plainPath } from '../services/address.ts';
import { Navigation, type NavigationItem } from '../services/navigation.ts';
import { t } from '../texts.ts';

/** The site's menu with the entry of the page that is shown. */
export const menuBlock = block('website.menu', {
  label: 'Menu',
  options: z.object({}),
  template: 'website.menu',
  load: async (ctx, _options, { path }) => rowOf(await ctx.get(Navigation).items(path), t(ctx, 'More')),
});

/** What fits beside the name and the tools in the narrowest header that is one row, in letters of usual width. */
const ROW = 90;

/** A row of a menu, and what it has no room for; what opens across the page stays in it. */
function rowOf(items: readonly NavigationItem[], more: string) {
  if (sum(items.map(({ name }) => widthOf(name))) <= ROW) return { items, more: [], isMoreCurrent: false };
  const panels = items.filter(({ panel }) => panel !== null);
  let left = ROW - widthOf(more) - sum(panels.map(({ name }) => widthOf(name)));
  const fits = items.map(({ name, panel }) => {
    if (panel !== null) return true;
    left -= widthOf(name);
    return left >= 0;
  });
  const rest = items.filter((_, index) => !fits[index]);
  return {
    items: items.filter((_, index) => fits[index]),
    more: rest,
    isMoreCurrent: rest.some(({ current }) => current !== null),
  };
}

/** With what stands around each. */
function widthOf(name: string): number {
  return name.length + 3;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The languages of the site, each with the way that leads to this page in it. */
export const languagesBlock = block('website.languages', {
  label: 'Languages',
  options: z.object({}),
  template: 'website.languages',
  load: async (ctx, _options, { url }) => {
    const site = ctx.attributes.website;
    const languages = site && site.languages.length > 1 ? site.languages : [];
    const here = plainPath(site, url.replace(/[?#].*$/s, '')) + (/\?.*$/s.exec(url)?.[0] ?? '');
    return {
      current: languages.find(({ code }) => code === ctx.lang),
      languages: languages.map(({ code, tag, hreflang, name }) => ({
        tag,
        hreflang,
        name,
        isCurrent: code === ctx.lang,
        href: languagePath(site, here, { from: ctx.lang, to: code }),
      })),
    };
  },
});
