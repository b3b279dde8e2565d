import { block, service, z } from 'pergola';
import { networks, type WebsiteCompany } from '../services/current-website.ts';
import { Navigation, type NavigationItem } from '../services/navigation.ts';
import { hoursOf } from '../services/opening-hours.ts';

const titles: Readonly<Record<(typeof networks)[number], string>> = {
  twitter: 'X (Twitter)',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  github: 'GitHub',
  youtube: 'YouTube',
  instagram: 'Instagram',
};

/** Footer of every page: company, contact details, menus and social media links. */
export const footerBlock = block('website.footer', {
  label: 'Footer',
  options: z.object({}),
  template: 'website.footer',
  load: async (ctx, _options, { path }) => {
    const site = ctx.attributes.website;
    const menus = ctx.get(Navigation);
    const placed = (items: readonly NavigationItem[]) => items.filter(({ url }) => url !== '');
    return {
      name: site?.name ?? '',
      company: site ? addressOf(site.company, ctx.get(CountryNames).of(site.company.country, ctx.lang)) : null,
      hours: await hoursOf(ctx),
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

/** Country names by code, each looked up once. */
export class CountryNames extends service('website.country_names') {
  readonly #known = new Map<string, string | null>();

  of(code: string | null, lang: string): string | null {
    if (!code) return null;
    const key = `${lang}:${code}`;
    const name = this.#known.get(key);
    if (name !== undefined) return name;
    const countryName = new Intl.DisplayNames(lang.replace('_', '-'), { type: 'region' }).of(code) ?? null;
    this.#known.set(key, countryName);
    return countryName;
  }
}

/** Company address for display. */
export function addressOf({ name, email, phone, street, street2, zip, city }: WebsiteCompany, country: string | null) {
  return {
    name,
    email,
    phone,
    call: phone?.replace(/[^\d+]/g, '') ?? '',
    lines: [street, street2, [zip, city].filter(Boolean).join(' '), country].filter(Boolean),
  };
}
