import { createHash } from 'node:crypto';
import { Language } from '@pergola/base';
import { type Ctx, type Id, requestAttribute } from 'pergola';
import type { RequestAttribute } from 'pergola/pages';
import { type SiteLook, siteLook } from '../look/sheet.ts';
import { Website } from '../models/website.ts';

/** Language of a site. */
export interface WebsiteLanguage {
  /** For example `fr_FR`. */
  readonly code: string;
  /** Code in URLs: `fr`. */
  readonly urlCode: string;
  /** HTML language tag: `fr-FR`. */
  readonly tag: string;
  /** Code for `hreflang`: `fr`, or the tag if two languages of the site share that prefix. */
  readonly hreflang: string;
  /** Native name: Français. */
  readonly name: string;
}

/** Company of a site. */
export interface WebsiteCompany {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly street: string | null;
  readonly street2: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  /** ISO 3166: `FR`. */
  readonly country: string | null;
}

/** Site of the request: `ctx.attributes.website`, in templates `{{attribute "website.name"}}`. */
export interface CurrentWebsite {
  readonly id: Id;
  readonly name: string;
  readonly domain: string | null;
  /** Languages, the default first. */
  readonly languages: readonly WebsiteLanguage[];
  /** Code such as `en_US`. */
  readonly defaultLang: string;
  readonly timezone: string | null;
  readonly companyId: Id;
  /** Public details of the site's company. */
  readonly company: WebsiteCompany;
  readonly homepageId: Id | null;
  /** Whether search engines may index it. */
  readonly indexed: boolean;
  /** URLs of its social media accounts by network: `twitter`, `facebook`, … */
  readonly social: Readonly<Record<string, string>>;
  /** Hashes of its images, or null. */
  readonly pictures: Readonly<Record<'logo' | 'logo_dark' | 'favicon' | 'favicon_dark' | 'og_image', string | null>>;
  readonly look: SiteLook;
  /** Changes with any of the values above. */
  readonly version: string;
}

declare module 'pergola' {
  interface RequestAttributes {
    /** Missing outside requests: in jobs and commands. */
    readonly website?: CurrentWebsite;
  }
}

/** Social networks, stored in `social_<name>` fields. */
export const networks = ['twitter', 'facebook', 'linkedin', 'github', 'youtube', 'instagram'] as const;

/** Sites by host name; the first site handles unknown hosts. */
interface Sites {
  readonly first: CurrentWebsite | undefined;
  readonly byDomain: ReadonlyMap<string, CurrentWebsite>;
}

/** Site of a request, determined by its host. */
export const websiteAttribute: RequestAttribute<'website', Sites> = requestAttribute('website', {
  prepare: async (ctx): Promise<Sites> => {
    const sites = await readWebsites(ctx);
    const withDomain = sites.flatMap((site) => (site.domain === null ? [] : [[site.domain, site] as const]));
    return { first: sites.find(({ domain }) => domain === null) ?? sites[0], byDomain: new Map(withDomain) };
  },
  resolve: ({ first, byDomain }, { host }) => byDomain.get(host) ?? first,
  key: (site) => site?.version ?? '',
});

/** All sites in order. */
export async function readWebsites(ctx: Ctx): Promise<CurrentWebsite[]> {
  // The site is determined before the user's rights are known.
  const system = ctx.sudo();
  const [rows, languages] = await Promise.all([readRows(system), readLanguages(system)]);
  return rows.map((row) => {
    const site = {
      id: row.id,
      name: row.name,
      domain: row.domain,
      ...languagesOf(row, languages),
      timezone: row.timezone,
      companyId: row.company_id?.id ?? 0,
      company: companyOf(row.company_id),
      homepageId: row.homepage_id,
      indexed: row.indexed,
      social: accountsOf(row),
      pictures: {
        logo: row.logo?.hash ?? null,
        logo_dark: row.logo_dark?.hash ?? null,
        favicon: row.favicon?.hash ?? null,
        favicon_dark: row.favicon_dark?.hash ?? null,
        og_image: row.og_image?.hash ?? null,
      },
      look: siteLook(ctx, row.look),
    };
    return Object.freeze({ ...site, version: versionOf(site) });
  });
}

type SiteRow = Awaited<ReturnType<typeof readRows>>[number];
type LanguageRow = Awaited<ReturnType<typeof readLanguages>>[number];

function readRows(ctx: Ctx) {
  return ctx.model(Website).find([], {
    select: {
      name: true,
      domain: true,
      language_ids: true,
      default_lang_id: true,
      timezone: true,
      company_id: {
        name: true,
        partner_id: {
          email: true,
          phone: true,
          street: true,
          street2: true,
          zip: true,
          city: true,
          country_id: { code: true },
        },
      },
      homepage_id: true,
      indexed: true,
      logo: true,
      logo_dark: true,
      favicon: true,
      favicon_dark: true,
      og_image: true,
      look: true,
      social_twitter: true,
      social_facebook: true,
      social_linkedin: true,
      social_github: true,
      social_youtube: true,
      social_instagram: true,
    },
  });
}

function readLanguages(ctx: Ctx) {
  return ctx
    .model(Language)
    .find([['active', '=', true]], { select: { code: true, url_code: true, name: true }, order: 'sequence, name' });
}

function languagesOf(
  { language_ids, default_lang_id }: SiteRow,
  activeLanguages: readonly LanguageRow[],
): Pick<CurrentWebsite, 'languages' | 'defaultLang'> {
  const siteLanguages = activeLanguages
    .filter(({ id }) => language_ids.includes(id))
    .sort((a, b) => Number(b.id === default_lang_id) - Number(a.id === default_lang_id));
  const shorts = Map.groupBy(siteLanguages, ({ code }) => shortOf(code));
  const languages = siteLanguages.map(({ code, url_code: urlCode, name }): WebsiteLanguage => {
    const tag = code.replace('_', '-');
    return { code, urlCode, tag, hreflang: shorts.get(shortOf(code))?.length === 1 ? shortOf(code) : tag, name };
  });
  return { languages, defaultLang: languages[0]?.code ?? 'en_US' };
}

function accountsOf(row: SiteRow): Readonly<Record<string, string>> {
  return Object.fromEntries(
    networks.flatMap((network) => {
      const address = row[`social_${network}`];
      return address ? [[network, address] as const] : [];
    }),
  );
}

function companyOf(row: SiteRow['company_id']): WebsiteCompany {
  const { email = null, phone = null, street = null, street2 = null, zip = null, city = null } = row?.partner_id ?? {};
  const country = row?.partner_id?.country_id?.code ?? null;
  return { name: row?.name ?? '', email, phone, street, street2, zip, city, country };
}

function shortOf(code: string): string {
  return code.split('_')[0] ?? code;
}

function versionOf(site: object): string {
  return createHash('sha256').update(JSON.stringify(site)).digest('base64url').slice(0, 16);
}

/** Site of the request, or the first one (in jobs and commands). */
export async function currentWebsite(ctx: Ctx): Promise<CurrentWebsite | undefined> {
  return ctx.attributes.website ?? (await readWebsites(ctx))[0];
}

/** Time zone of the first site, for work outside requests. */
export async function siteTimezone(ctx: Ctx): Promise<string | null> {
  const rows = await ctx
    .sudo() // The zone is public: every page shows it.
    .model(Website)
    .find([], { select: { timezone: true, domain: true } });
  return (rows.find(({ domain }) => domain === null) ?? rows[0])?.timezone ?? null;
}

/** Time zone of a company's first site, otherwise of the first site overall, or null. For texts written outside requests. */
export async function companyTimezone(ctx: Ctx, company: Id): Promise<string | null> {
  const sites = await readWebsites(ctx);
  return (sites.find(({ companyId }) => companyId === company) ?? sites[0])?.timezone ?? null;
}

/** Origin (scheme and host) of a site's URLs, independent of the request: its own host name, otherwise the configured address. */
export function originOf(ctx: Ctx, site: CurrentWebsite | undefined): string {
  const base = new URL(ctx.config.baseUrl);
  if (!site?.domain || site.domain === base.hostname) return base.origin;
  const port = base.port === '' ? '' : `:${base.port}`;
  return `${base.protocol}//${site.domain}${port}`;
}
