import Negotiator from 'negotiator';
import type { Address, AddressResolver } from 'pergola/pages';
import { type CurrentWebsite, readWebsites, type WebsiteLanguage } from './current-website.ts';

/** Where the chosen language is kept. */
export const languageCookie = 'website_lang';

/** Programs that read pages for others: they get what they ask for and are sent nowhere else. */
const robots = /bot|crawl|slurp|spider|curl|wget|facebookexternalhit|preview|lighthouse/i;

type Resolvable = Parameters<AddressResolver['resolve']>[1];

/**
 * Languages in addresses. The default language of the site has no prefix, each other one has: `/fr/shop`.
 *
 * ```
 * /fr/shop       a language of the site  ─▶ /shop in French (cookie kept)
 * /en/shop       the default one         ─▶ 301 /shop
 * /fr_FR/shop    a language's whole code ─▶ 301 /fr/shop
 * /fr/robots.txt no page in languages    ─▶ 301 /robots.txt
 * /shop          cookie, user, browser want French ─▶ 302 /fr/shop; robots stay
 * ```
 *
 * Calls and posted forms of a page stay in its language, whatever the cookie says by now; calls leave the cookie as it is.
 */
export const address: AddressResolver<readonly string[]> = {
  prepare: async (ctx) => (await readWebsites(ctx)).flatMap(({ domain }) => domain ?? []),
  hosts: (hosts) => hosts,
  resolve: (_hosts, request) => {
    const site = request.attributes.website;
    if (!site) return { path: request.path, lang: request.userLang ?? 'en_US' };
    const prefixed = splitPrefix(site, request.path);
    return prefixed ? withPrefix(site, request, prefixed) : withoutPrefix(site, request);
  },
  localize: (_hosts, path, lang, facts) => localizePath(facts.website, path, lang),
};

interface Prefixed {
  readonly language: WebsiteLanguage;
  /** Whether the prefix is written as it should be. */
  readonly exact: boolean;
  /** The path behind the prefix. */
  readonly rest: string;
}

/** A path that begins with a language of the site, taken apart. */
function splitPrefix(site: CurrentWebsite, path: string): Prefixed | null {
  const end = path.indexOf('/', 1);
  const segment = end < 0 ? path.slice(1) : path.slice(1, end);
  const language = findLanguage(site, segment);
  if (!language) return null;
  const rest = end < 0 ? '/' : path.slice(end);
  // `/fr/` is written `/fr`
  return { language, rest, exact: segment === language.urlCode && (rest !== '/' || end < 0) };
}

/** A language of the site by its code in addresses, or its whole code (`fr`, `fr_FR`, `fr-FR`), in whatever case. */
export function findLanguage(site: CurrentWebsite, text: string): WebsiteLanguage | undefined {
  if (text.length < 2 || text.length > 10) return undefined;
  const wanted = text.toLowerCase().replace('-', '_');
  return (
    site.languages.find(({ urlCode }) => urlCode.toLowerCase().replace('-', '_') === wanted) ??
    site.languages.find(({ code }) => code.toLowerCase() === wanted)
  );
}

function withPrefix(site: CurrentWebsite, request: Resolvable, { language, exact, rest }: Prefixed): Address {
  const { code } = language;
  const found: Address = {
    ...about(site, code),
    path: rest,
    cookies: keepLanguage(request, code),
  };
  const isDefault = code === site.defaultLang;
  if (!reads(request) || (exact && !isDefault && request.multilang(rest))) return found;
  const to = isDefault || !request.multilang(rest) ? rest : localizePath(site, rest, code);
  return { ...found, redirect: { to: to + request.query, status: 301 } };
}

function withoutPrefix(site: CurrentWebsite, request: Resolvable): Address {
  const { path, query } = request;
  const calling = callingLanguage(site, request);
  const lang = calling ?? preferredLanguage(site, request);
  const found: Address = { ...about(site, lang), path };
  if (calling !== undefined) return found;
  if (lang === site.defaultLang || !reads(request) || !request.multilang(path)) return found;
  const redirect = { to: localizePath(site, path, lang) + query, status: 302 } as const;
  return { ...found, redirect, cookies: keepLanguage(request, lang) };
}

function about(site: CurrentWebsite, lang: string): Pick<Address, 'lang' | 'timezone'> {
  return site.timezone === null ? { lang } : { lang, timezone: site.timezone };
}

function reads({ method }: Resolvable): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * The language of the page that calls or posts a form: as the call names it; of a form sent without a script, as the address of its page says. Undefined
 * for visits of pages, and languages that the site doesn't have.
 */
function callingLanguage(site: CurrentWebsite, request: Resolvable): string | undefined {
  const { pageLang, headers } = request;
  const known = site.languages.find(({ code }) => code === pageLang)?.code;
  if (known !== undefined || reads(request)) return known;
  const page = typeof headers.referer === 'string' ? URL.parse(headers.referer) : null;
  if (page?.hostname !== request.host) return undefined;
  const prefixed = splitPrefix(site, page.pathname);
  if (prefixed) return prefixed.language.code;
  return request.multilang(page.pathname) ? site.defaultLang : undefined;
}

/** What the visitor wants where the address does not say: what they chose, else their account's language, else their browser's. */
function preferredLanguage(site: CurrentWebsite, request: Resolvable): string {
  if (site.languages.length < 2) return site.defaultLang;
  const { cookies, userLang, headers } = request;
  const known = (code: string | null | undefined): string | undefined =>
    site.languages.find((language) => language.code === code)?.code;
  const chosen = known(cookies[languageCookie]) ?? known(userLang);
  const wanted = chosen ?? browserLanguage(site, headers['accept-language']) ?? site.defaultLang;
  return wanted !== site.defaultLang && isRobot(request) ? site.defaultLang : wanted;
}

/** The language of the site that a browser likes best; undefined when it names none of them. */
function browserLanguage(site: CurrentWebsite, header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '' || header.length > 1000) return undefined;
  const tags = site.languages.flatMap(({ code, tag }, index) => {
    const short = shortOf(tag);
    const isFirst = site.languages.findIndex((other) => shortOf(other.tag) === short) === index;
    return [[tag, code] as const, ...(isFirst ? [[short, code] as const] : [])];
  });
  const best = new Negotiator({ headers: { 'accept-language': header } }).language(tags.map(([tag]) => tag));
  return tags.find(([tag]) => tag === best)?.[1];
}

function shortOf(tag: string): string {
  return tag.split('-')[0] ?? tag;
}

function isRobot({ headers }: Resolvable): boolean {
  const agent = headers['user-agent'];
  return typeof agent === 'string' && robots.test(agent);
}

/** The cookie that keeps a language, where it is not kept already; robots keep nothing, and calls of pages change nothing. */
function keepLanguage(request: Resolvable, lang: string): Address['cookies'] {
  return request.pageLang || request.cookies[languageCookie] === lang || isRobot(request)
    ? undefined
    : { [languageCookie]: lang };
}

/** A path of the site as it is written in a language: `/shop` → `/fr/shop`, `/` → `/fr`. */
export function localizePath(site: CurrentWebsite | undefined, path: string, lang: string): string {
  const language = site?.languages.find(({ code }) => code === lang);
  if (!site || !language || lang === site.defaultLang) return path;
  return path === '/' ? `/${language.urlCode}` : `/${language.urlCode}${path}`;
}

/** Where a reader of a path changes over to another language and is led back to it: `/website/lang/fr_FR?r=%2Fshop`. */
export function languagePath(
  site: CurrentWebsite | undefined,
  path: string,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  return `/website/lang/${to === site?.defaultLang ? 'default' : to}?r=${encodeURIComponent(localizePath(site, path, from))}`;
}

/** A path without its language prefix, if it has one. */
export function plainPath(site: CurrentWebsite | undefined, path: string): string {
  return (site && splitPrefix(site, path)?.rest) ?? path;
}
