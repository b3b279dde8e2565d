import { createHash } from 'node:crypto';
import { type Ctx, type Id, requestAttribute } from 'pergola';
import type { RequestAttribute } from 'pergola/pages';
import { Language } from '#addons/base';
import { type SiteLook, siteLook } from '../look/sheet.ts';
import { Website } from '../models/website.ts';

/** A language of a site. */
export interface WebsiteLanguage {
  /** `fr_FR` */
  readonly code: string;
  /** In addresses: `fr`. */
  readonly urlCode: string;
  /** As HTML names it: `fr-FR`. */
  readonly tag: string;
  /** For `hreflang`: `fr`, or the tag where two languages of the site begin alike. */
  readonly hreflang: string;
  /** In itself: Français. */
  readonly name: string;
}

/** The company behind a site. */
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

/** The site a request is for: `ctx.attributes.website`, in templates `{{attribute "website.name"}}`. */
export interface CurrentWebsite {
  readonly id: Id;
  readonly name: string;
  readonly domain: string | null;
  /** The default one first. */
  readonly languages: readonly WebsiteLanguage[];
  /** Its code, `en_US`. */
  readonly defaultLang: string;
  readonly timezone: string | null;
  readonly companyId: Id;
  /** Whose site it is, as everybody may know it. */
  readonly company: WebsiteCompany;
  readonly homepageId: Id | null;
  /** Whether search engines may list it. */
  readonly indexed: boolean;
  /** Addresses of its accounts elsewhere, by network: `twitter`, `facebook`, … */
  readonly social: Readonly<Record<string, string>>;
  /** Hashes of its pictures; null where there is none. */
  readonly pictures: Readonly<Record<'logo' | 'logo_dark' | 'favicon' | 'favicon_dark' | 'og_image', string | null>>;
  readonly look: SiteLook;
  /** Another text as soon as anything of the above is. */
  readonly version: string;
}

declare module 'pergola' {
  interface RequestAttributes {
    /** Missing where no request is: in jobs and commands. */
    readonly website?: CurrentWebsite;
  }
}

/** The networks a site may have accounts with, as `social_<name>` of its record. */
export const networks = ['twitter', 'facebook', 'linkedin', 'github', 'youtube', 'instagram'] as const;

/** The sites by host name; the first one answers for all others. */
interface Sites {
  readonly first: CurrentWebsite | undefined;
  readonly byDomain: ReadonlyMap<string, CurrentWebsite>;
}

/** Which site a request is for, by its host. */
export const websiteAttribute: RequestAttribute<'website', Sites> = requestAttribute('website', {
  prepare: async (ctx): Promise<Sites> => {
    const sites = await readWebsites(ctx);
    const named = sites.flatMap((site) => (site.domain === null ? [] : [[site.domain, site] as const]));
    return { first: sites.find(({ domain }) => domain === null) ?? sites[0], byDomain: new Map(named) };
  },
  resolve: ({ first, byDomain }, { host }) => byDomain.get(host) ?? first,
  key: (site) => site?.version ?? '',
});

/** Every site, in order. */
export async function readWebsites(ctx: Ctx): Promise<CurrentWebsite[]> {
  // Which site answers has to be known before anybody has rights.
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
  known: readonly LanguageRow[],
): Pick<CurrentWebsite, 'languages' | 'defaultLang'> {
  const own = known
    .filter(({ id }) => language_ids.includes(id))
    .sort((a, b) => Number(b.id === default_lang_id) - Number(a.id === default_lang_id));
  const shorts = Map.groupBy(own, ({ code }) => shortOf(code));
  const languages = own.map(({ code, url_code: urlCode, name }): WebsiteLanguage => {
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

/** The site of the request, else (in jobs and commands) the first one. */
export async function currentWebsite(ctx: Ctx): Promise<CurrentWebsite | undefined> {
  return ctx.attributes.website ?? (await readWebsites(ctx))[0];
}

/** Time zone of the first site, for work that no request asked for. */
export async function siteTimezone(ctx: Ctx): Promise<string | null> {
  const rows = await ctx
    .sudo() // The zone is public: every page shows it.
    .model(Website)
    .find([], { select: { timezone: true, domain: true } });
  return (rows.find(({ domain }) => domain === null) ?? rows[0])?.timezone ?? null;
}

/** Time zone of a company's first site, else of the first site of all; null if neither has one. For texts that are written outside of requests. */
export async function companyTimezone(ctx: Ctx, company: Id): Promise<string | null> {
  const sites = await readWebsites(ctx);
  return (sites.find(({ companyId }) => companyId === company) ?? sites[0])?.timezone ?? null;
}

/**
 * Scheme and host that a site's addresses begin with, wherever it is asked: the site's own host name, else the configured address.
 */
export function originOf(ctx: Ctx, site: CurrentWebsite | undefined): string {
  const base = new URL(ctx.config.baseUrl);
  if (!site?.domain || site.domain === base.hostname) return base.origin;
  const port = base.port === '' ? '' : `:${base.port}`;
  return `${base.protocol}//${site.domain}${port}`;
}
