import { block, z } from '#core';
import { languagePath, plainPath } from '../services/address.ts';
import { Navigation } from '../services/navigation.ts';

/** The site's menu with the entry of the page that is shown. */
export const menuBlock = block('website.menu', {
  label: 'Menu',
  options: z.object({}),
  template: 'website.menu',
  load: async (ctx, _options, { path }) => ({ items: await ctx.get(Navigation).items(path) }),
});

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
