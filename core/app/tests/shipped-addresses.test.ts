import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { createTestApp, type TestApp } from '../../../tools/testing/app.ts';

const addons = readdirSync(join(import.meta.dirname, '../../../addons'));

interface Listed {
  readonly loc: string;
  /** Addresses by language. */
  readonly alternates: ReadonlyMap<string, string>;
}

/** Addresses of a sitemap according to a strict XML parser, which throws if it isn't well-formed. */
function addressesIn(xml: string): Listed[] {
  const addresses: { loc: string; alternates: Map<string, string> }[] = [];
  const parser = new SaxesParser();
  let name = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    ({ name } = tag);
    if (name === 'url') addresses.push({ loc: '', alternates: new Map() });
    const { hreflang, href } = tag.attributes;
    if (name === 'xhtml:link') addresses.at(-1)?.alternates.set(String(hreflang), String(href));
  });
  parser.on('text', (text) => {
    const last = addresses.at(-1);
    if (name === 'loc' && last) last.loc += text.trim();
  });
  parser.write(xml).close();
  return addresses;
}

interface Visited {
  readonly status: number;
  readonly canonical: string | null;
  readonly alternates: ReadonlyMap<string, string>;
}

/** Requests a page like a crawler: without following redirects or keeping cookies. */
async function visit(address: string): Promise<Visited> {
  const answer = await fetch(address, { redirect: 'manual', headers: { 'accept-encoding': 'identity' } });
  const html = await answer.text();
  const plain = (text = ''): string => text.replaceAll('&amp;', '&').replaceAll('&#x27;', "'");
  const links = html.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g);
  return {
    status: answer.status,
    canonical: plain(/<link rel="canonical" href="([^"]+)">/.exec(html)?.[1]) || null,
    alternates: new Map([...links].map(([, lang = '', href]) => [lang, plain(href)])),
  };
}

describe('Every address that search engines are told of', () => {
  let app: TestApp;
  let listed: Listed[];
  const seen = new Map<string, Visited>();
  beforeAll(async () => {
    app = await createTestApp({ addons, demo: true });
    listed = addressesIn(await (await fetch(`${app.url}/sitemap.xml`)).text());
    for (const { loc } of listed) seen.set(loc, await visit(loc));
  });
  afterAll(() => app.close());

  test('is there, at that very address, for whoever comes without a cookie', () => {
    expect(listed.length).toBeGreaterThan(400);
    expect(new Set(listed.map(({ loc }) => loc)).size).toBe(listed.length);
    expect([...seen].flatMap(([loc, { status }]) => (status === 200 ? [] : [`${status} ${loc}`]))).toEqual([]);
    expect([...seen].flatMap(([loc, { canonical }]) => (canonical === loc ? [] : [`${loc} ─▶ ${canonical}`]))).toEqual(
      [],
    );
  });

  test('names the same addresses in other languages as the sitemap does, all of which are in it', () => {
    const wrong = listed.flatMap(({ loc, alternates }) => {
      const { 'x-default': fallback, ...languageLinks } = Object.fromEntries(seen.get(loc)?.alternates ?? []);
      const isSame = JSON.stringify(languageLinks) === JSON.stringify(Object.fromEntries(alternates));
      const isListed = [fallback, ...alternates.values()].every(
        (address) => address !== undefined && seen.has(address),
      );
      return isSame && isListed ? [] : [{ loc, languageLinks, fallback, alternates: Object.fromEntries(alternates) }];
    });
    expect(wrong).toEqual([]);
  });
});
