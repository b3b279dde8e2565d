import { lookOf } from '../look/shape.ts';
import { address, findLanguage, localizePath, plainPath } from '../services/address.ts';
import type { CurrentWebsite } from '../services/current-website.ts';

const site: CurrentWebsite = {
  id: 1,
  name: 'Site',
  domain: null,
  languages: [
    { code: 'en_US', urlCode: 'en', tag: 'en-US', hreflang: 'en', name: 'English' },
    { code: 'fr_FR', urlCode: 'fr', tag: 'fr-FR', hreflang: 'fr', name: 'Français' },
    { code: 'pt_BR', urlCode: 'pt-br', tag: 'pt-BR', hreflang: 'pt', name: 'Português' },
  ],
  defaultLang: 'en_US',
  timezone: 'Europe/Paris',
  companyId: 1,
  company: { name: 'C', email: null, phone: null, street: null, street2: null, zip: null, city: null, country: null },
  homepageId: null,
  indexed: true,
  social: {},
  pictures: { logo: null, logo_dark: null, favicon: null, favicon_dark: null, og_image: null },
  look: {
    chosen: lookOf(null),
    sheet: '/website/look-1.css',
    font: null,

    ground: { light: '#ffffff', dark: '#000000' },
  },
  version: '1',
};

/** Paths that must not have a language prefix. */
const plain = new Set(['/robots.txt', '/website/lang/fr_FR', '/web/dataset/call_kw']);

interface Asked {
  readonly cookie?: string;
  readonly accept?: string;
  readonly agent?: string;
  readonly user?: string;
  readonly method?: string;
  readonly website?: CurrentWebsite;
}

function resolve(target: string, { cookie, accept, agent, user, method = 'GET', website = site }: Asked = {}) {
  const [path = '', query] = target.split('?', 2);
  return address.resolve([], {
    host: 'localhost',
    path,
    cookies: cookie === undefined ? {} : { website_lang: cookie },
    headers: { 'accept-language': accept, 'user-agent': agent },
    attributes: { website },
    method,
    query: query === undefined ? '' : `?${query}`,
    userLang: user ?? null,
    multilang: (path) => !plain.has(path),
  });
}

/** `302 /fr/shop`, or `fr_FR /shop`; with `+fr_FR` if the cookie is set. */
function said(target: string, request?: Asked): string {
  const { redirect, lang, path, cookies } = resolve(target, request);
  const cookie = cookies?.website_lang === undefined ? '' : ` +${cookies.website_lang}`;
  return `${redirect ? `${redirect.status} ${redirect.to}` : `${lang} ${path}`}${cookie}`;
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

describe('languages in addresses', () => {
  it.each<[string, string, string, Asked]>([
    ['without a wish, the default language without prefix', '/shop', 'en_US /shop', {}],
    ['the default language, when the browser wants it', '/shop', 'en_US /shop', { accept: 'en-GB,en;q=0.9' }],
    ['a language no site has is no wish', '/shop', 'en_US /shop', { accept: 'de,nl;q=0.8' }],
    ['anything is no wish', '/shop', 'en_US /shop', { accept: '*' }],
    ['the first visit follows the browser', '/shop', '302 /fr/shop +fr_FR', { accept: 'fr-CA,fr;q=0.9,en;q=0.5' }],
    ['the browser’s best known language counts', '/shop', '302 /fr/shop +fr_FR', { accept: 'de,fr;q=0.8,en;q=0.7' }],
    ['an exact region is found', '/shop', '302 /pt-br/shop +pt_BR', { accept: 'pt-BR' }],
    ['the home page has its prefix alone', '/', '302 /fr +fr_FR', { accept: 'fr' }],
    ['the query goes along', '/shop?page=2&x=%2F', '302 /fr/shop?page=2&x=%2F +fr_FR', { accept: 'fr' }],
    ['what was chosen comes before the browser', '/shop', 'en_US /shop', { cookie: 'en_US', accept: 'fr' }],
    ['what was chosen is remembered', '/shop', '302 /fr/shop', { cookie: 'fr_FR' }],
    ['a cookie with nonsense is no wish', '/shop', 'en_US /shop', { cookie: '//evil.example' }],
    ['a language the site does not have is no wish', '/shop', 'en_US /shop', { cookie: 'de_DE' }],
    [
      'the account’s language comes before the browser',
      '/shop',
      '302 /fr/shop +fr_FR',
      { user: 'fr_FR', accept: 'en' },
    ],
    ['what was chosen comes before the account', '/shop', 'en_US /shop', { user: 'fr_FR', cookie: 'en_US' }],
    ['an account in a language the site lacks', '/shop', 'en_US /shop', { user: 'de_DE' }],
    ['forms are answered where they were sent', '/shop', 'fr_FR /shop', { cookie: 'fr_FR', method: 'POST' }],
    ['HEAD is answered as GET', '/shop', '302 /fr/shop', { cookie: 'fr_FR', method: 'HEAD' }],
    ['what has no languages stays where it is', '/robots.txt', 'fr_FR /robots.txt', { cookie: 'fr_FR' }],
    [
      'calls are answered in the chosen language',
      '/web/dataset/call_kw',
      'fr_FR /web/dataset/call_kw',
      { cookie: 'fr_FR', method: 'POST' },
    ],
    ['a prefix says the language, and is remembered', '/fr/shop', 'fr_FR /shop +fr_FR', {}],
    ['a prefix wins over what was chosen before', '/fr/shop', 'fr_FR /shop +fr_FR', { cookie: 'en_US', accept: 'en' }],
    ['what is kept already is not kept again', '/fr/shop', 'fr_FR /shop', { cookie: 'fr_FR' }],
    ['the prefix alone is the home page', '/fr', 'fr_FR /', { cookie: 'fr_FR' }],
    ['the prefix is written without a slash at its end', '/fr/', '301 /fr', { cookie: 'fr_FR' }],
    ['forms behind a prefix', '/fr/shop', 'fr_FR /shop', { cookie: 'fr_FR', method: 'POST' }],
    ['the default language has no prefix', '/en/shop?x=1', '301 /shop?x=1 +en_US', {}],
    ['and is chosen by asking for it', '/en/shop', '301 /shop +en_US', { cookie: 'fr_FR' }],
    ['also its home page', '/en', '301 / +en_US', {}],
    ['a form behind the default prefix is answered', '/en/shop', 'en_US /shop +en_US', { method: 'POST' }],
    ['whole codes of old links lead to the short one', '/fr_FR/shop', '301 /fr/shop +fr_FR', {}],
    ['whole codes as HTML writes them too', '/fr-FR', '301 /fr +fr_FR', {}],
    ['in whatever case', '/FR/shop', '301 /fr/shop +fr_FR', {}],
    ['only whole segments are languages', '/free/shop', 'en_US /free/shop', {}],
    ['the beginning of a code is no language', '/f/shop', 'en_US /f/shop', {}],
    ['a language the site does not have is a path', '/de/shop', 'en_US /de/shop', {}],
    ['what has no languages loses the prefix', '/fr/robots.txt', '301 /robots.txt +fr_FR', {}],
    [
      'calls behind a prefix are answered in its language',
      '/fr/web/dataset/call_kw',
      'fr_FR /web/dataset/call_kw',
      { cookie: 'fr_FR', method: 'POST' },
    ],
    ['one prefix is taken off', '/fr/fr/shop', 'fr_FR /fr/shop', { cookie: 'fr_FR' }],
  ])('%s', (_name, target, expected, request) => {
    expect(said(target, { agent: firefox, ...request })).toBe(expected);
  });

  it.each<[string, string, Asked]>([
    ['/shop', 'en_US /shop', { accept: 'fr' }],
    ['/shop', 'en_US /shop', { cookie: 'fr_FR' }],
    ['/fr/shop', 'fr_FR /shop', { accept: 'en' }],
    ['/en/shop', '301 /shop', { accept: 'en' }],
  ])('robots get what they ask for: %s', (target, expected, request) => {
    for (const agent of [
      googlebot,
      'curl/8.5',
      'Wget/1.21',
      'facebookexternalhit/1.1',
      'Baiduspider/2.0',
      'Yahoo! Slurp',
    ]) {
      expect(said(target, { agent, ...request })).toBe(expected);
    }
  });

  it('a site in one language has no prefixes', () => {
    const [only] = site.languages;
    const website = { ...site, languages: only ? [only] : [] };
    expect(said('/shop', { website, accept: 'fr', cookie: 'fr_FR' })).toBe('en_US /shop');
    expect(said('/fr/shop', { website })).toBe('en_US /fr/shop');
    expect(said('/en/shop', { website })).toBe('301 /shop +en_US');
  });

  it('without a website everybody reads their own language', () => {
    const { lang, path, redirect } = address.resolve([], {
      host: 'localhost',
      path: '/fr/shop',
      cookies: {},
      headers: {},
      attributes: {},
      method: 'GET',
      query: '',
      userLang: 'fr_FR',
      multilang: () => true,
    });
    expect({ lang, path, redirect }).toEqual({ lang: 'fr_FR', path: '/fr/shop', redirect: undefined });
  });

  it('dates are shown in the zone of the site', () => {
    expect(resolve('/shop').timezone).toBe('Europe/Paris');
    expect(resolve('/shop', { website: { ...site, timezone: null } })).not.toHaveProperty('timezone');
  });

  it('a header that is too long to be meant is no wish', () => {
    expect(said('/shop', { accept: `fr,${'x'.repeat(2000)}` })).toBe('en_US /shop');
  });

  it('paths are written in a language and back', () => {
    expect(localizePath(site, '/shop', 'fr_FR')).toBe('/fr/shop');
    expect(localizePath(site, '/', 'pt_BR')).toBe('/pt-br');
    expect(localizePath(site, '/shop', 'en_US')).toBe('/shop');
    expect(localizePath(site, '/shop', 'de_DE')).toBe('/shop');
    expect(plainPath(site, '/fr/shop')).toBe('/shop');
    expect(plainPath(site, '/pt-br')).toBe('/');
    expect(plainPath(site, '/free')).toBe('/free');
  });

  it('languages are found by their codes only', () => {
    expect(findLanguage(site, 'pt_BR')?.urlCode).toBe('pt-br');
    expect(findLanguage(site, 'pt-br')?.code).toBe('pt_BR');
    for (const text of ['', 'f', 'pt', 'fr/..', 'constructor', '__proto__'])
      expect(findLanguage(site, text)).toBeUndefined();
  });
});
