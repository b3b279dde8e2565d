import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { costLedger, readCosts } from '@pergola/operations';
import { createTestApp, eachDatabase, type TestApp } from 'pergola/testing';
import { WROTE_COOKIE } from '../../../packages/page-cache/page-cache.ts';
import { repository } from '../../base/addon-folders.ts';

/**
 * One page of each kind: how to find its first link, and the number of queries for rendering it for a visitor. Never raise these numbers;
 * the goal is eight.
 */
const pages: readonly { kind: string; list: string; link?: RegExp; queries: number }[] = [
  { kind: 'home', list: '/', queries: 8 },
  { kind: 'contact', list: '/contactus', queries: 2 },
  { kind: 'journal', list: '/journal', queries: 2 },
  { kind: 'shop', list: '/shop', queries: 3 },
  { kind: 'product', list: '/shop', link: /href="(?:\/fr)?(\/shop\/product\/[^"?#]+)/, queries: 6 },
  { kind: 'events', list: '/event', queries: 4 },
  { kind: 'event', list: '/event', link: /href="(?:\/fr)?(\/event\/[^"?#/]+-2)\b/, queries: 7 },
  { kind: 'match week', list: '/matchs', queries: 4 },
  { kind: 'forum', list: '/forum/help-1', queries: 6 },
  {
    kind: 'question',
    list: '/forum/help-1',
    link: /href="(?:\/fr)?(\/forum\/[^"?#/]+\/question\/[^"?#/]+)"/,
    queries: 7,
  },
];

/** Requests of a page to count: caches fill with the first ones, and texts like “3 hours ago” expire. */
const VISITS = 4;

eachDatabase('Pages of the shipped addons', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: readdirSync(join(repository, 'addons')), demo: true, database });
    Object.assign(app.application.get(costLedger), { limit: Infinity });
  });
  afterAll(() => app.close());

  /** Requests a page as a visitor who has just written through another process: never cached. */
  const madeAnew = (path: string) => app.visitor().get(path, { headers: { cookie: `${WROTE_COOKIE}=elsewhere` } });

  /** Queries of all requests of pages so far. */
  async function countQueries(): Promise<number> {
    await app.application.get(costLedger).store();
    const pages = (await readCosts(app.database, 60)).filter(({ page }) => page.startsWith('/'));
    return pages.flatMap(({ addons }) => addons).reduce((sum, { queries }) => sum + queries, 0);
  }

  /** Queries of a page with warm caches: the fewest of some requests. */
  async function queriesOf(path: string): Promise<number> {
    const counts: number[] = [];
    for (let visit = 0; visit < VISITS; visit++) {
      const before = await countQueries();
      expect(await madeAnew(path)).toMatchObject({ status: 200 });
      counts.push((await countQueries()) - before);
    }
    return Math.min(...counts);
  }

  test('no two elements of a page have one id, whether its parts are made for it or were made before', async () => {
    for (const { list } of pages) {
      for (const path of [list, `${list}?made=anew`, `${list}?made=anew`]) {
        const { text } = await app.visitor().get(path, { headers: { 'accept-language': 'en' } });
        const ids = [...text.matchAll(/<[a-z][^<>]*? id="([^"]+)"/g)].map(([, id]) => id);
        expect(ids.length).toBeGreaterThan(3);
        expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
      }
    }
  });

  test.each([
    ['English', ''],
    ['French', '/fr'],
  ])('a visitor’s page of each kind takes as many queries as are written here, in %s', async (_language, prefix) => {
    const queryCounts: Record<string, number> = {};
    for (const { kind, list, link } of pages) {
      const from = prefix && list === '/' ? prefix : prefix + list;
      const linked = link?.exec((await app.visitor().get((await app.visitor().get(from)).location ?? from)).text)?.[1];
      if (link && linked === undefined) throw new Error(`${from} leads to no page of the kind “${kind}”.`);
      const address = linked === undefined ? from : prefix + linked;
      const path = (await app.visitor().get(address)).location ?? address;
      queryCounts[kind] = await queriesOf(path);
    }
    expect(queryCounts).toEqual(Object.fromEntries(pages.map(({ kind, queries }) => [kind, queries])));
  });
});
