import { Country, Partner } from '#addons/base';
import { type Ctx, type Id, type RequestView, setting, z } from '#core';

/** The header by which a proxy in front of the site says which country a visitor is in. */
export const countryHeader = setting(
  'website_event.country_header',
  z.string().trim().toLowerCase().max(100),
  'cf-ipcountry',
  {
    label: 'Header with the visitor’s country',
    help: 'Set by the proxy in front of the site, as two letters: CF-IPCountry. Empty: none',
    section: 'Events',
  },
);

/**
 * Where a visitor is likely to be: as their contact says, else as the proxy says, else where their language is at home; null when nothing tells.
 */
export async function visitorCountry(
  ctx: Ctx,
  { headers }: Pick<RequestView, 'headers'>,
): Promise<{ readonly id: Id; readonly name: string; readonly code: string } | null> {
  const header = await ctx.settings.get(countryHeader);
  const told = header === '' ? undefined : headers[header];
  const codes = [await ownCountry(ctx), typeof told === 'string' ? told.trim() : null, regionOf(ctx.lang)];
  for (const code of codes) {
    if (!code || !/^[a-z]{2}$/i.test(code)) continue;
    const select = { name: true, code: true } as const;
    const found = await ctx.model(Country).first([['code', '=', code.toUpperCase()]], { select });
    if (found) return found;
  }
  return null;
}

async function ownCountry(ctx: Ctx): Promise<string | null> {
  if (ctx.user.partnerId === null) return null;
  const [own] = await ctx.model(Partner).read([ctx.user.partnerId], { select: { country_id: { code: true } } });
  return own?.country_id?.code ?? null;
}

/** `fr_CA` → `CA` */
function regionOf(lang: string): string | null {
  return new Intl.Locale(lang.replace('_', '-')).region ?? null;
}
