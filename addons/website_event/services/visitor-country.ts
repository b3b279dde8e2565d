import Negotiator from 'negotiator';
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

/** Where the country is kept that a visitor chose: its two letters, or {@link everywhere}. */
export const countryCookie = 'event_country';
export const everywhere = 'all';

export interface VisitorCountry {
  readonly country: { readonly id: Id; readonly name: string; readonly code: string } | null;
  /** Whether the visitor may say another one: nobody who knows has told. */
  readonly open: boolean;
}

/**
 * Where a visitor is likely to be: as their contact says, else as the proxy says, else where they said themselves or their browser's language is at
 * home, else where the page's is.
 */
export async function visitorCountry(
  ctx: Ctx,
  { headers, cookies }: Pick<RequestView, 'headers' | 'cookies'>,
): Promise<VisitorCountry> {
  const header = await ctx.settings.get(countryHeader);
  const told = (await countryOf(ctx, await ownCountry(ctx))) ?? (await countryOf(ctx, headers[header]));
  if (told) return { country: told, open: false };
  const chosen = cookies[countryCookie];
  if (chosen === everywhere) return { country: null, open: true };
  const region = regionOf(headers['accept-language']) ?? regionOf(ctx.lang.replace('_', '-'));
  return { country: (await countryOf(ctx, chosen)) ?? (await countryOf(ctx, region)), open: true };
}

/** The country of a code from outside; null for what is none. */
async function countryOf(ctx: Ctx, code: unknown): Promise<VisitorCountry['country']> {
  if (typeof code !== 'string' || !/^[a-z]{2}$/i.test(code.trim())) return null;
  const select = { name: true, code: true } as const;
  return (await ctx.model(Country).first([['code', '=', code.trim().toUpperCase()]], { select })) ?? null;
}

async function ownCountry(ctx: Ctx): Promise<string | null> {
  if (ctx.user.partnerId === null) return null;
  const [own] = await ctx.model(Partner).read([ctx.user.partnerId], { select: { country_id: { code: true } } });
  return own?.country_id?.code ?? null;
}

/**
 * The region of the language a browser likes best: `de-CH, de` → `CH`, `fr, fr-BE` → `BE`; where it names none, the one where most people speak it:
 * `de, en-US` → `DE`.
 */
export function regionOf(header: VisitorHeader): string | null {
  if (typeof header !== 'string' || header.length > 1000) return null;
  const [first, ...others] = new Negotiator({ headers: { 'accept-language': header } }).languages().flatMap(localeOf);
  if (!first) return null;
  const alike = [first, ...others].filter(({ language }) => language === first.language);
  return alike.find(({ region }) => region)?.region ?? first.maximize().region ?? null;
}

type VisitorHeader = RequestView['headers'][string];

/** `*` and what is no language have no locale. */
function localeOf(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}
