import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { createTestApp, type TestApp } from 'pergola/testing';
import { SqliteConnection } from '../../../packages/db/sqlite/connection.ts';
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

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ addons: readdirSync(join(repository, 'addons')), demo: true });
});
afterAll(() => app.close());

/** Requests a page as a visitor who has just written through another process: never cached. */
const madeAnew = (path: string) => app.visitor().get(path, { headers: { cookie: `${WROTE_COOKIE}=elsewhere` } });

/** Requests of a page to count. */
const VISITS = 5;

/** Number of queries of one page with warm shared caches: the fewest of several visits, since jobs that run meanwhile make queries too. */
async function queriesOf(path: string): Promise<number> {
  const counts: number[] = [];
  const query = jest.spyOn(SqliteConnection.prototype, 'query');
  try {
    for (let visit = 0; visit < VISITS; visit++) {
      query.mockClear();
      expect(await madeAnew(path)).toMatchObject({ status: 200 });
      counts.push(query.mock.calls.filter(([{ sql }]) => /^\s*(select|with)\b/i.test(sql)).length);
    }
  } finally {
    query.mockRestore();
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
