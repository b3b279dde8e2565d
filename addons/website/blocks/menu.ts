import { block, z } from 'pergola';
import { languagePath, plainPath } from '../services/address.ts';
import { Navigation, type NavigationItem } from '../services/navigation.ts';
import { t } from '../texts.ts';

/** Menu of the site with the current entry. */
export const menuBlock = block('website.menu', {
  label: 'Menu',
  options: z.object({}),
  template: 'website.menu',
  load: async (ctx, _options, { path }) => rowOf(await ctx.get(Navigation).items(path), t(ctx, 'More')),
});

/** Characters that fit next to the site name and tools in the narrowest single-row header, at average letter width. */
const ROW = 90;

/** Moves menu entries that don't fit the row into the overflow menu. Entries with a panel stay in the row. */
function rowOf(items: readonly NavigationItem[], more: string) {
  if (sum(items.map(({ name }) => widthOf(name))) <= ROW) return { items, more: [], isMoreCurrent: false };
  const panels = items.filter(({ panel }) => panel !== null);
  let available = ROW - widthOf(more) - sum(panels.map(({ name }) => widthOf(name)));
  const fits = items.map(({ name, panel }) => {
    if (panel !== null) return true;
    available -= widthOf(name);
    return available >= 0;
  });
  const overflow = items.filter((_, index) => !fits[index]);
  return {
    items: items.filter((_, index) => fits[index]),
    more: overflow,
    isMoreCurrent: overflow.some(({ current }) => current !== null),
  };
}

/** Width of an entry in characters, including its padding. */
function widthOf(name: string): number {
  return name.length + 3;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

/** Languages of the site, each with the link to this page in it. */
export const languagesBlock = block('website.languages', {
  label: 'Languages',
  options: z.object({}),
  template: 'website.languages',
  load: async (ctx, _options, { url }) => {
    const site = ctx.attributes.website;
    const languages = site && site.languages.length > 1 ? site.languages : [];
    const currentPath = plainPath(site, url.replace(/[?#].*$/s, '')) + (/\?.*$/s.exec(url)?.[0] ?? '');
    return {
      current: languages.find(({ code }) => code === ctx.lang),
      languages: languages.map(({ code, tag, hreflang, name }) => ({
        tag,
        hreflang,
        name,
        isCurrent: code === ctx.lang,
        href: languagePath(site, currentPath, { from: ctx.lang, to: code }),
      })),
    };
  },
});
