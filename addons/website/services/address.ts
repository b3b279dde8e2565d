import Negotiator from 'negotiator';
import type { Address, AddressResolver } from 'pergola/pages';
import { type CurrentWebsite, readWebsites, type WebsiteLanguage } from './current-website.ts';

/** Cookie with the selected language. */
export const languageCookie = 'website_lang';

/** Crawlers and link previews get the requested page without a redirect. */
const robots = /bot|crawl|slurp|spider|curl|wget|facebookexternalhit|preview|lighthouse/i;

type Resolvable = Parameters<AddressResolver['resolve']>[1];

/**
 * Languages in URLs. The site's default language has no prefix, every other one does: `/fr/shop`.
 *
 * ```
 * /fr/shop       a language of the site  ─▶ /shop in French (cookie kept)
 * /en/shop       the default one         ─▶ 301 /shop
 * /fr_FR/shop    a language's whole code ─▶ 301 /fr/shop
 * /fr/robots.txt no page in languages    ─▶ 301 /robots.txt
 * /shop          cookie, user, browser want French ─▶ 302 /fr/shop; robots stay
 * ```
 *
 * Calls and forms of a page use its language regardless of the cookie; calls don't change the cookie.
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
  /** Whether the prefix is in its canonical form. */
  readonly exact: boolean;
  /** Path after the prefix. */
  readonly rest: string;
}

/** Splits a path that starts with a language of the site. */
function splitPrefix(site: CurrentWebsite, path: string): Prefixed | null {
  const end = path.indexOf('/', 1);
  const segment = end < 0 ? path.slice(1) : path.slice(1, end);
  const language = findLanguage(site, segment);
  if (!language) return null;
  const remainder = end < 0 ? '/' : path.slice(end);
  // `/fr` is the canonical form of `/fr/`.
  return { language, rest: remainder, exact: segment === language.urlCode && (remainder !== '/' || end < 0) };
}

/** Finds a language of the site by its URL code or full code (`fr`, `fr_FR`, `fr-FR`), case-insensitive. */
export function findLanguage(site: CurrentWebsite, text: string): WebsiteLanguage | undefined {
  if (text.length < 2 || text.length > 10) return undefined;
  const normalised = text.toLowerCase().replace('-', '_');
  return (
    site.languages.find(({ urlCode }) => urlCode.toLowerCase().replace('-', '_') === normalised) ??
    site.languages.find(({ code }) => code.toLowerCase() === normalised)
  );
}

function withPrefix(site: CurrentWebsite, request: Resolvable, { language, exact, rest: path }: Prefixed): Address {
  const { code } = language;
  const address: Address = {
    ...localeOf(site, code),
    path: path,
    cookies: keepLanguage(request, code),
  };
  const isDefault = code === site.defaultLang;
  if (!reads(request) || (exact && !isDefault && request.multilang(path))) return address;
  const to = isDefault || !request.multilang(path) ? path : localizePath(site, path, code);
  return { ...address, redirect: { to: to + request.query, status: 301 } };
}

function withoutPrefix(site: CurrentWebsite, request: Resolvable): Address {
  const { path, query } = request;
  const calling = callingLanguage(site, request);
  const lang = calling ?? preferredLanguage(site, request);
  const address: Address = { ...localeOf(site, lang), path };
  if (calling !== undefined) return address;
  if (lang === site.defaultLang || !reads(request) || !request.multilang(path)) return address;
  const redirect = { to: localizePath(site, path, lang) + query, status: 302 } as const;
  return { ...address, redirect, cookies: keepLanguage(request, lang) };
}

function localeOf(site: CurrentWebsite, lang: string): Pick<Address, 'lang' | 'timezone'> {
  return site.timezone === null ? { lang } : { lang, timezone: site.timezone };
}

function reads({ method }: Resolvable): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Language of the page that makes a call or submits a form: from the call, or from the page's address for a form without JavaScript.
 * Undefined for page visits and for languages that the site doesn't have.
 */
function callingLanguage(site: CurrentWebsite, request: Resolvable): string | undefined {
  const { pageLang, headers } = request;
  const callerLang = site.languages.find(({ code }) => code === pageLang)?.code;
  if (callerLang !== undefined || reads(request)) return callerLang;
  const page = typeof headers.referer === 'string' ? URL.parse(headers.referer) : null;
  if (page?.hostname !== request.host) return undefined;
  const prefixed = splitPrefix(site, page.pathname);
  if (prefixed) return prefixed.language.code;
  return request.multilang(page.pathname) ? site.defaultLang : undefined;
}

/** Language for URLs without a prefix: the visitor's choice, otherwise the user's language, otherwise the browser's. */
function preferredLanguage(site: CurrentWebsite, request: Resolvable): string {
  if (site.languages.length < 2) return site.defaultLang;
  const { cookies, userLang, headers } = request;
  const siteLanguage = (code: string | null | undefined): string | undefined =>
    site.languages.find((language) => language.code === code)?.code;
  const preferred = siteLanguage(cookies[languageCookie]) ?? siteLanguage(userLang);
  const lang = preferred ?? browserLanguage(site, headers['accept-language']) ?? site.defaultLang;
  return lang !== site.defaultLang && isRobot(request) ? site.defaultLang : lang;
}

/** Language of the site that the browser prefers; undefined if it accepts none of them. */
function browserLanguage(site: CurrentWebsite, header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string' || header === '' || header.length > 1000) return undefined;
  const tags = site.languages.flatMap(({ code, tag }, index) => {
    const short = shortOf(tag);
    const isFirst = site.languages.findIndex((language) => shortOf(language.tag) === short) === index;
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

/** Cookie that stores a language, unless it is already set; never for robots and calls. */
function keepLanguage(request: Resolvable, lang: string): Address['cookies'] {
  return request.pageLang || request.cookies[languageCookie] === lang || isRobot(request)
    ? undefined
    : { [languageCookie]: lang };
}

/** Localised path: `/shop` → `/fr/shop`, `/` → `/fr`. */
export function localizePath(site: CurrentWebsite | undefined, path: string, lang: string): string {
  const language = site?.languages.find(({ code }) => code === lang);
  if (!site || !language || lang === site.defaultLang) return path;
  return path === '/' ? `/${language.urlCode}` : `/${language.urlCode}${path}`;
}

/** URL that switches to another language and returns to the path: `/website/lang/fr_FR?r=%2Fshop`. */
export function languagePath(
  site: CurrentWebsite | undefined,
  path: string,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  return `/website/lang/${to === site?.defaultLang ? 'default' : to}?r=${encodeURIComponent(localizePath(site, path, from))}`;
}

/** Path without its language prefix, if any. */
export function plainPath(site: CurrentWebsite | undefined, path: string): string {
  return (site && splitPrefix(site, path)?.rest) ?? path;
}
