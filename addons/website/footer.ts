import { Company } from '#addons/base';
import { block, type Ctx, z } from '#core';
import { networks } from './facts.ts';
import { navigation } from './navigation.ts';

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
    return {
      name: site?.name ?? '',
      company: site ? await companyOf(ctx, site.companyId) : null,
      items: (await navigation(ctx, path)).filter(({ url }) => url !== ''),
      more: (await navigation(ctx, path, 'footer')).filter(({ url }) => url !== ''),
      accounts: networks.flatMap((network) => {
        const url = site?.social[network];
        return url ? [{ url, title: titles[network], icon: network === 'twitter' ? 'twitter-x' : network }] : [];
      }),
      year: ctx.today().slice(0, 4),
    };
  },
});

async function companyOf(ctx: Ctx, id: number) {
  // Name, address and telephone of the company are on its own site for everybody.
  const { name, email, phone, partner_id } = await ctx
    .sudo()
    .model(Company)
    .get(id, {
      select: {
        name: true,
        email: true,
        phone: true,
        partner_id: { street: true, zip: true, city: true, country_id: { name: true } },
      },
    });
  const { street, zip, city, country_id } = partner_id ?? {};
  return {
    name,
    email,
    phone,
    call: phone?.replace(/[^\d+]/g, '') ?? '',
    lines: [street, [zip, city].filter(Boolean).join(' '), country_id?.name].filter(Boolean),
  };
}
