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
  const rest = end < 0 ? '/' : path.slice(end);
  // `/fr` is the canonical form of `/fr/`.
  return { language, rest, exact: segment === language.urlCode && (rest !== '/' || end < 0) };
}

/** Finds a language of the site by its URL code or full code (`fr`, `fr_FR`, `fr-FR`), case-insensitive. */
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
 * Language of the page that makes a call or submits a form: from the call, or from the page's address for a form without JavaScript.
 * Undefined for page visits and for languages that the site doesn't have.
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

/** Language for URLs without a prefix: the visitor's choice, otherwise the user's language, otherwise the browser's. */
function preferredLanguage(site: CurrentWebsite, request: Resolvable): string {
  if (site.languages.length < 2) return site.defaultLang;
  const { cookies, userLang, headers } = request;
  const known = (code: string | null | undefined): string | undefined =>
    site.languages.find((language) => language.code === code)?.code;
  const chosen = known(cookies[languageCookie]) ?? known(userLang);
  const wanted = chosen ?? browserLanguage(site, headers['accept-language']) ?? site.defaultLang;
  return wanted !== site.defaultLang && isRobot(request) ? site.defaultLang : wanted;
}

/** Language of the site that the browser prefers; undefined if it accepts none of them. */
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
