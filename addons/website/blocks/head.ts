import { block, type Ctx, liveValues, type RequestView, z } from 'pergola';
import { anonymousIdentity, pathsIn, routes } from 'pergola/http';
import { pictureUrl } from 'pergola/pages';
import { SPECULATION } from '../routes/speculation.ts';
import { localizePath } from '../services/address.ts';
import { type CurrentWebsite, originOf } from '../services/current-website.ts';
import type { SeoValues } from '../services/seo.ts';
import { t } from '../texts.ts';

const text = z.string().nullish().catch(null);
const options = z.object({
  title: text,
  description: text,
  noindex: z.boolean().nullish().catch(null),
  // made by addons' own code, checked by the compiler
  seo: z
    .custom<SeoValues>((value) => typeof value === 'object')
    .nullish()
    .catch(null),
});

/** Metadata in the head of every page for search engines and link previews, placed by the layout. */
export const headBlock = block('website.head', {
  label: 'SEO',
  options,
  template: 'website.head',
  load: async (ctx, { title, description, noindex, seo }, request) => {
    const site = ctx.attributes.website;
    const page = {
      ...seo,
      title: seo?.title || title || site?.name || '',
      description: seo?.description ?? description ?? null,
    };
    const isHidden = noindex === true || page.noindex === true || site?.indexed === false;
    // Pages hidden from search engines are personal or change often, so they are not prefetched.
    if (!isHidden) request.setHeader(SPECULATION.header, `"${SPECULATION.path}"`);
    const origin = originOf(ctx, site);
    const path = page.canonical ?? request.path;
    const url = isHidden ? null : origin + localizePath(site, path, ctx.lang);
    const picture = page.image ?? pictureOf(site, 'og_image');
    return {
      ...page,
      type: page.type ?? 'website',
      noindex: isHidden,
      address: url,
      image: absolute(origin, picture ?? pictureOf(site, 'logo') ?? '/website/static/icon-512.png'),
      isLarge: picture !== null,
      feeds: (page.feeds ?? []).map((feed) => ({ ...feed, href: localizePath(site, feed.path, ctx.lang) })),
      alternates: isHidden ? [] : await alternates(ctx, site, origin, path),
      locale: ctx.lang,
      otherLocales: (site?.languages ?? []).map(({ code }) => code).filter((code) => code !== ctx.lang),
      siteName: site?.name ?? '',
      ground: site?.look.ground,
      icon: pictureOf(site, 'favicon', 48),
      darkIcon: pictureOf(site, 'favicon_dark', 48),
      touchIcon: pictureOf(site, 'favicon', 180),
      twitter: accountOf(site?.social.twitter),
      graph: isHidden ? null : graph(ctx, site, origin, request, page),
    };
  },
});

/** Alternate links of the page for each language of the site, and `x-default`. */
async function alternates(ctx: Ctx, site: CurrentWebsite | undefined, origin: string, path: string) {
  if (!site || site.languages.length < 2 || !ctx.get(routes).isMultilang(path.replace(/[?#].*$/s, ''))) return [];
  const links = [];
  for (const { code, hreflang } of site.languages) {
    // The page's own path is already in its language.
    const localPath = code === ctx.lang ? path : await pathIn(ctx, code, path);
    const href = origin + localizePath(site, localPath, code);
    links.push({ hreflang, href });
    if (code === site.defaultLang) links.push({ hreflang: 'x-default', href });
  }
  return links;
}

/** Translated paths by `[site, language, path]`. All anonymous visitors can read the same records, so they share the cache. */
export const visitorPaths = liveValues('website.visitor_paths', {
  read: async (system, key): Promise<string> => {
    const [, lang, path] = JSON.parse(key) as [unknown, string, string];
    const user = await anonymousIdentity(system);
    return user ? readPath(system.as({ user }), lang, path) : path;
  },
});

async function pathIn(ctx: Ctx, lang: string, path: string): Promise<string> {
  if (ctx.user.id !== null || ctx.su) return readPath(ctx, lang, path);
  return ctx.get(visitorPaths).get(ctx, JSON.stringify([ctx.attributes.website?.id, lang, path]));
}

async function readPath(ctx: Ctx, lang: string, path: string): Promise<string> {
  return (await pathsIn(ctx, lang, [path])).get(path) ?? path;
}

/** URL of an image of the site, or null if it isn't set. */
export function pictureOf(
  site: CurrentWebsite | undefined,
  field: keyof CurrentWebsite['pictures'],
  size?: number,
): string | null {
  const hash = site?.pictures[field];
  if (!site || !hash) return null;
  return pictureUrl('website', site.id, field, { hash }, size);
}

function absolute(origin: string, address: string | null): string | null {
  return address === null || !address.startsWith('/') ? address : origin + address;
}

/** `https://x.com/pergola` → `@pergola` */
function accountOf(address: string | undefined): string | null {
  const name = /^(?:https?:\/\/(?:www\.)?(?:twitter|x)\.com\/)?@?(\w{1,15})\/?$/i.exec(address ?? '')?.[1];
  return name === undefined ? null : `@${name}`;
}

/** schema.org graph of the page: the organisation and site on the home page, breadcrumbs on all others. */
function graph(
  ctx: Ctx,
  site: CurrentWebsite | undefined,
  origin: string,
  { path }: RequestView,
  { breadcrumbs = [], jsonLd = [], title }: SeoValues,
): object | null {
  const address = (local: string): string => origin + localizePath(site, local, ctx.lang);
  const parts: object[] = [...jsonLd];
  if (path === '/' && site) parts.push(...organisation(site, origin));
  if (breadcrumbs.length > 0) {
    const way = [{ name: t(ctx, 'Home'), url: '/' }, ...breadcrumbs];
    parts.push({
      '@type': 'BreadcrumbList',
      itemListElement: way.map(({ name, url }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name,
        item: address(url),
      })),
    });
  } else if (path !== '/' && title) {
    parts.push({ '@type': 'WebPage', name: title, url: address(path), inLanguage: ctx.lang.replace('_', '-') });
  }
  return parts.length === 0 ? null : { '@context': 'https://schema.org', '@graph': parts };
}

function organisation(site: CurrentWebsite, origin: string): object[] {
  const { name, languages, social, company } = site;
  const { email, phone, street, zip, city, country } = company;
  const logo = absolute(origin, pictureOf(site, 'logo'));
  const address = {
    '@type': 'PostalAddress',
    ...(street ? { streetAddress: street } : {}),
    ...(zip ? { postalCode: zip } : {}),
    ...(city ? { addressLocality: city } : {}),
    ...(country ? { addressCountry: country } : {}),
  };
  return [
    {
      '@type': 'Organization',
      '@id': `${origin}/#organization`,
      name: company.name,
      url: `${origin}/`,
      ...(logo ? { logo } : {}),
      ...(email ? { email } : {}),
      ...(phone ? { telephone: phone } : {}),
      ...(city ? { address } : {}),
      ...(Object.keys(social).length > 0 ? { sameAs: Object.values(social) } : {}),
    },
    {
      '@type': 'WebSite',
      '@id': `${origin}/#website`,
      name,
      url: `${origin}/`,
      inLanguage: languages.map(({ tag }) => tag),
      publisher: { '@id': `${origin}/#organization` },
    },
  ];
}
