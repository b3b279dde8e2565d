import { block, z } from '#core';
import { networks, type WebsiteCompany } from './facts.ts';
import { type NavigationItem, navigation } from './navigation.ts';

const titles: Readonly<Record<(typeof networks)[number], string>> = {
  twitter: 'X (Twitter)',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  github: 'GitHub',
  youtube: 'YouTube',
  instagram: 'Instagram',
};

/** The foot of every page: whose site it is, how to reach them, the menus, accounts elsewhere. */
export const footerBlock = block('website.footer', {
  label: 'Foot of the page',
  options: z.object({}),
  template: 'website.footer',
  load: async (ctx, _options, { path }) => {
    const site = ctx.facts.website;
    const menus = ctx.service(navigation);
    const placed = (items: readonly NavigationItem[]) => items.filter(({ url }) => url !== '');
    return {
      name: site?.name ?? '',
      company: site ? addressOf(site.company, ctx.lang) : null,
      items: placed(await menus.items(path)),
      more: placed(await menus.items(path, 'footer')),
      accounts: networks.flatMap((network) => {
        const url = site?.social[network];
        return url ? [{ url, title: titles[network], icon: network === 'twitter' ? 'twitter-x' : network }] : [];
      }),
      year: ctx.today().slice(0, 4),
    };
  },
});

function addressOf({ name, email, phone, street, street2, zip, city, country }: WebsiteCompany, lang: string) {
  const countryName = country && new Intl.DisplayNames(lang.replace('_', '-'), { type: 'region' }).of(country);
  return {
    name,
    email,
    phone,
    call: phone?.replace(/[^\d+]/g, '') ?? '',
    lines: [street, street2, [zip, city].filter(Boolean).join(' '), countryName].filter(Boolean),
  };
}
