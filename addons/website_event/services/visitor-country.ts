import { Country, Partner } from '@pergola/base';
import Negotiator from 'negotiator';
import { type Ctx, liveValues, type RequestView, requestAttribute, setting, z } from 'pergola';

/** Request header with the visitor's country, set by a reverse proxy. */
export const countryHeader = setting(
  'website_event.country_header',
  z.string().trim().toLowerCase().max(100),
  'cf-ipcountry',
  {
    label: 'Header with the visitor’s country',
    help: 'Header that your proxy sets to a two-letter country code, such as CF-IPCountry. Leave empty for none.',
    section: 'Events',
  },
);

/** Cookie with the country the visitor chose: its two-letter code, or {@link everywhere}. */
export const countryCookie = 'event_country';
export const everywhere = 'all';

export interface VisitorCountry {
  /** Two-letter country code. */
  readonly code: string | null;
  /** Whether the visitor can change it: neither the proxy nor their contact determines it. */
  readonly open: boolean;
}

/** Country information from a request, independent of the signed-in user. */
export interface RequestCountry {
  readonly code: string | null;
  /** See {@link VisitorCountry}. */
  readonly open: boolean;
  /** Whether the visitor chose events from all countries. */
  readonly everywhere: boolean;
}

declare module 'pergola' {
  interface RequestAttributes {
    /** Only for requests to the event list, whose cached pages vary by country; otherwise null. */
    readonly eventCountry?: RequestCountry | null;
  }
}

export const eventCountryAttribute = requestAttribute('eventCountry', {
  prepare: knownCountries,
  resolve: (countries, { path, headers, cookies }) =>
    /^(\/[a-z]{2}(_[a-z]{2})?)?\/event\/?$/i.test(path) ? countryFromRequest(countries, { headers, cookies }) : null,
});

/** Known countries, for pages that don't vary by country in the cache. */
export const liveCountries = liveValues('website_event.countries', { read: (ctx) => knownCountries(ctx) });

interface KnownCountries {
  readonly header: string;
  readonly codes: ReadonlySet<string>;
}

async function knownCountries(ctx: Ctx): Promise<KnownCountries> {
  const rows = await ctx.model(Country).find([], { select: { code: true } });
  return { header: await ctx.settings.get(countryHeader), codes: new Set(rows.flatMap(({ code }) => code ?? [])) };
}

/** Resolves the country from the proxy header, the visitor's cookie, or the browser language, in this order. */
function countryFromRequest(
  { header, codes }: KnownCountries,
  { headers, cookies }: Pick<RequestView, 'headers' | 'cookies'>,
): RequestCountry {
  const knownCode = (value: unknown): string | null => {
    const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
    return codes.has(code) ? code : null;
  };
  const proxyCode = knownCode(headers[header]);
  if (proxyCode) return { code: proxyCode, open: false, everywhere: false };
  const cookieCode = cookies[countryCookie];
  if (cookieCode === everywhere) return { code: null, open: true, everywhere: true };
  return {
    code: knownCode(cookieCode) ?? knownCode(regionOf(headers['accept-language'])),
    open: true,
    everywhere: false,
  };
}

/** Determines the visitor's likely country from their contact, the request, or the page language, in this order. */
export async function visitorCountry(
  ctx: Ctx,
  request: Pick<RequestView, 'headers' | 'cookies'>,
): Promise<VisitorCountry> {
  const contactCountry = await contactCountryOf(ctx);
  if (contactCountry) return { code: contactCountry, open: false };
  const requestCountry =
    ctx.attributes.eventCountry ?? countryFromRequest(await ctx.get(liveCountries).get(ctx, ''), request);
  if (requestCountry.everywhere) return { code: null, open: true };
  return { code: requestCountry.code ?? regionOf(ctx.lang.replace('_', '-')), open: requestCountry.open };
}

async function contactCountryOf(ctx: Ctx): Promise<string | null> {
  if (ctx.user.partnerId === null) return null;
  const [contact] = await ctx.model(Partner).read([ctx.user.partnerId], { select: { country_id: { code: true } } });
  return contact?.country_id?.code ?? null;
}

/**
 * Returns the region of the preferred browser language: `de-CH, de` → `CH`, `fr, fr-BE` → `BE`; if none is given, the region with most
 * speakers: `de, en-US` → `DE`.
 */
export function regionOf(header: VisitorHeader): string | null {
  if (typeof header !== 'string' || header.length > 1000) return null;
  const [first, ...others] = new Negotiator({ headers: { 'accept-language': header } }).languages().flatMap(localeOf);
  if (!first) return null;
  const sameLanguage = [first, ...others].filter(({ language }) => language === first.language);
  return sameLanguage.find(({ region }) => region)?.region ?? first.maximize().region ?? null;
}

type VisitorHeader = RequestView['headers'][string];

/** Invalid tags and `*` have no locale. */
function localeOf(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)];
  } catch {
    return [];
  }
}
