import { createTestApp } from '#core/testing';

it('pages say what may be fetched before a link is pressed, and what somebody wrote does away with it', async () => {
  await using app = await createTestApp({ addons: ['website_sale'] });
  const header = async (path: string) => (await app.get(path)).headers.get('speculation-rules');
  // The second answer is the kept page's.
  for (const path of ['/', '/', '/legal']) expect(await header(path)).toBe('"/website/speculation.json"');
  expect(await header('/search?q=garden')).toBeNull();
  const { headers, text } = await app.get('/website/speculation.json');
  expect(headers.get('content-type')).toContain('application/speculationrules+json');
  const { prefetch, prerender } = JSON.parse(text) as Record<'prefetch' | 'prerender', { where: { and: object[] } }[]>;
  for (const rule of [...prefetch, ...prerender]) {
    expect(rule.where.and[1]).toEqual({
      not: { href_matches: expect.arrayContaining(['/web/*', '/fr/web/*', '/my/*', '/search*']) },
    });
    expect(rule.where.and[2]).toEqual({ not: { selector_matches: expect.stringContaining('[rel~=nofollow]') } });
  }
  // What is made ready has no form of a cart.
  const sells = [...prefetch, ...prerender].map(({ where }) => JSON.stringify(where).includes('"/fr/shop/product/*"'));
  expect(sells).toEqual([false, true, true]);
  const clears = async (answer: Promise<{ headers: Headers }>) => (await answer).headers.get('clear-site-data');
  expect(await clears(app.get('/'))).toBeNull();
  const admin = await app.as('admin');
  expect(await clears(admin.form('/web/logout', {}))).toBe('"prefetchCache", "prerenderCache"');
});
