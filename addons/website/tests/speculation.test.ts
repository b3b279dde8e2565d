import { createTestApp } from 'pergola/testing';
import { SPECULATION } from '../routes/speculation.ts';

it('pages say what may be fetched before a link is pressed, and what somebody wrote does away with it', async () => {
  await using app = await createTestApp({ addons: ['website_sale', 'forum'] });
  const header = async (path: string) => (await app.get(path)).headers.get('speculation-rules');
  // The second response is from the page cache.
  for (const path of ['/', '/', '/legal']) expect(await header(path)).toBe('"/website/speculation.json"');
  expect(await header('/search?q=garden')).toBeNull();
  const { headers, text } = await app.get(SPECULATION.path);
  expect(headers.get('content-type')).toContain('application/speculationrules+json');
  const { prefetch, prerender } = JSON.parse(text) as Record<'prefetch' | 'prerender', { where: { and: object[] } }[]>;
  const leavesAlone = ({ where }: { where: { and: object[] } }, path: string) => {
    const { not } = where.and[1] as { not: { href_matches: string } };
    return new URLPattern(not.href_matches, 'http://localhost').test(path, 'http://localhost');
  };
  const closed = [
    '/web',
    '/web/login',
    '/fr/web',
    '/fr/web/',
    '/my',
    '/my/orders',
    '/search?q=garden',
    '/fr/forum/1/ask',
  ];
  // Product lists are public and have no form.
  const open = [
    '/',
    '/shop',
    '/fr/shop?page=2',
    '/website',
    '/webcams',
    '/mystery',
    '/forum/help-1',
    '/shop/product',
    '/shop.cart',
    '/a/web',
  ];
  for (const rule of [...prefetch, ...prerender]) {
    expect(closed.filter((path) => leavesAlone(rule, path))).toEqual(closed);
    expect(open.filter((path) => leavesAlone(rule, path))).toEqual([]);
    expect(rule.where.and[2]).toEqual({ not: { selector_matches: expect.stringContaining('[rel~=nofollow]') } });
  }
  // Pages with a cart form aren't prerendered.
  const sells = [...prefetch, ...prerender].map((rule) => leavesAlone(rule, '/fr/shop/product/can-8'));
  expect(sells).toEqual([false, true, true]);
  // Prerenders when a pointer rests on a link; phones have no pointer and guess by the visible links.
  const eager = async (mobile: string) => {
    const answer = await app.get(SPECULATION.path, { headers: { 'Sec-CH-UA-Mobile': mobile } });
    expect(answer.headers.get('vary')).toContain('Sec-CH-UA-Mobile');
    const rules = JSON.parse(answer.text) as Record<'prefetch' | 'prerender', { eagerness: string }[]>;
    return [...rules.prefetch, ...rules.prerender].map(({ eagerness }) => eagerness);
  };
  expect(await eager('?0')).toEqual(['moderate', 'moderate', 'moderate']);
  expect(await eager('?1')).toEqual(['moderate', 'moderate', 'conservative']);
  const clears = async (answer: Promise<{ headers: Headers }>) => (await answer).headers.get('clear-site-data');
  expect(await clears(app.get('/'))).toBeNull();
  const admin = await app.as('admin');
  expect(await clears(admin.form('/web/logout', {}))).toBe('"prefetchCache", "prerenderCache"');
});

it('the next page does not wait for a picture of the one before, nor move once it needs a scrollbar', async () => {
  await using app = await createTestApp({ addons: ['website'] });
  const [sheet = ''] = /\/_assets\/core\/public\.\w+\.css/.exec((await app.get('/')).text) ?? [];
  const { text } = await app.get(sheet);
  expect(text).toMatch(/html:has\(\.site-header\)\{[^}]*overflow-y:scroll/);
  expect(text).not.toContain('@view-transition');
});
