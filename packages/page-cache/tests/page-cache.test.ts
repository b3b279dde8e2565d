import { PageCache } from '../page-cache.ts';
import { page, question, StagedChanges } from './stage.ts';

function makeCache(about: { bytes?: number; clock?: () => number } = {}): {
  cache: PageCache;
  changes: StagedChanges;
} {
  const changes = new StagedChanges();
  return { cache: new PageCache({ changes, secure: false, ...about }), changes };
}

const loadShedder = (): { opened: Promise<void>; open: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
};

describe('The page cache', () => {
  test('serves a page until a table it read changes', async () => {
    const { cache, changes } = makeCache();
    await cache.render(question(), async (tracker) => {
      tracker.table('product');
      return page('cheap');
    });
    expect(cache.lookup(question())?.plain.bytes.toString()).toBe('cheap');

    changes.commit('res_users');
    expect(cache.lookup(question())).not.toBeNull();
    changes.commit('product');
    expect(cache.lookup(question())).toBeNull();
    expect(cache.stats).toMatchObject({ hits: 2, misses: 1, pages: 0 });
  });

  test('does not keep a page one of whose tables changed while it was rendered', async () => {
    const { cache, changes } = makeCache();
    await cache.render(question(), async (tracker) => {
      tracker.table('product');
      changes.commit('product');
      tracker.table('product');
      return page('old');
    });
    expect(cache.lookup(question())).toBeNull();
  });

  test('tells pages apart by everything their content may depend on', async () => {
    const { cache } = makeCache();
    await cache.render(question(), async () => page('one'));
    const others = [
      { number: 2 },
      { origin: 'https://club.example' },
      { visitedPath: '/fr/shop' },
      { lang: 'fr_FR' },
      { timezone: 'Europe/Brussels' },
      { groups: new Set(['base.group_user']) },
      { attributes: 'website 2' },
      { query: '{"page":2}' },
      { session: true },
      { path: '/shop ', visitedPath: '/shop' },
    ];
    for (const other of others) expect(cache.lookup(question(other))).toBeNull();
    expect(cache.lookup(question({ groups: new Set(['base.group_public']) }))).not.toBeNull();
  });

  test('answers undeclared query values with a page that never reads its address, and with no other', async () => {
    const { cache } = makeCache();
    await cache.render(question({ undeclared: true }), async () => page('same for all'));
    expect(cache.lookup(question())).not.toBeNull();
    expect(cache.lookup(question({ undeclared: true }))).not.toBeNull();

    const other = { path: '/search', visitedPath: '/search' };
    const readAddress = (text: string) =>
      cache.render(question({ ...other, undeclared: true }), async (tracker) => {
        tracker.address();
        return page(text);
      });
    await readAddress('of ?x=1');
    expect(cache.lookup(question(other))).toBeNull();
    await cache.render(question(other), async (tracker) => {
      tracker.address();
      return page('without values');
    });
    expect(cache.lookup(question(other))).not.toBeNull();
    expect(cache.lookup(question({ ...other, undeclared: true }))).toBeNull();
    expect((await readAddress('of ?x=2')).parts).toEqual(['of ?x=2']);
  });

  test('renders once for requests that differ in undeclared values at the same time, unless the page reads them', async () => {
    const { cache } = makeCache();
    for (const [isRead, renders] of [
      [false, 1],
      [true, 4],
    ] as const) {
      let count = 0;
      const about = { path: `/${isRead}`, visitedPath: `/${isRead}`, undeclared: true };
      const pages = await Promise.all(
        [0, 1, 2, 3].map((index) =>
          cache.render(question(about), async (tracker) => {
            count += 1;
            if (isRead) tracker.address();
            await Promise.resolve();
            return page(`of ${index}`);
          }),
        ),
      );
      expect(count).toBe(renders);
      expect(pages[3]?.parts).toEqual([isRead ? 'of 3' : 'of 0']);
    }
  });

  test.each([
    ['it is personal', page('x'), 'it reads the cart'],
    ['its status is not 200', page('x', { status: 404 }), null],
    ['its reply sets a cookie', page('x', { headers: { 'Set-Cookie': 'a=b' } }), null],
    ['its route forbids it', page('x', { keep: false }), null],
  ])('does not keep a page when %s', async (_, made, personal) => {
    const { cache } = makeCache();
    await cache.render(question(), async (tracker) => {
      if (personal) tracker.personal(personal);
      return made;
    });
    expect(cache.lookup(question())).toBeNull();
    expect(cache.explain(question())).toEqual(expect.any(String));
  });

  test('lets a page go at the moment it said it would be stale', async () => {
    let now = 1_000_000;
    const { cache } = makeCache({ clock: () => now });
    await cache.render(question(), async (tracker) => {
      tracker.until(new Date(now + 9_000));
      tracker.until(new Date(now + 5_000));
      return page('soon over');
    });
    now += 4_999;
    expect(cache.lookup(question())).not.toBeNull();
    now += 1;
    expect(cache.lookup(question())).toBeNull();
  });

  test('serves nothing and keeps nothing while changes of other nodes may go unheard', async () => {
    const { cache, changes } = makeCache();
    await cache.render(question(), async () => page('kept'));
    changes.healthy = false;
    expect(cache.lookup(question())).toBeNull();
    await cache.render(question({ path: '/b', visitedPath: '/b' }), async () => page('not kept'));
    changes.healthy = true;
    expect(cache.lookup(question())).not.toBeNull();
    expect(cache.lookup(question({ path: '/b', visitedPath: '/b' }))).toBeNull();
  });

  test('renders a cold page once, however many ask', async () => {
    const { cache } = makeCache();
    const { opened, open } = loadShedder();
    let renders = 0;
    const all = Array.from({ length: 50 }, () =>
      cache.render(question(), async () => {
        renders += 1;
        await opened;
        return page('once');
      }),
    );
    open();
    const pages = await Promise.all(all);
    expect(renders).toBe(1);
    expect(new Set(pages.map(({ parts }) => parts[0]))).toEqual(new Set(['once']));
  });

  test('renders for each by itself when the page turns out to be personal or fails', async () => {
    const { cache } = makeCache();
    for (const path of ['/personal', '/failing']) {
      const { opened, open } = loadShedder();
      let renders = 0;
      const all = Array.from({ length: 5 }, () =>
        cache.render(question({ path, visitedPath: path }), async (tracker) => {
          renders += 1;
          const mine = renders;
          tracker.table('product');
          await opened;
          if (path === '/failing' && mine === 1) throw new Error('the first one fails');
          if (path === '/personal') tracker.personal('it reads the session');
          return page(`number ${mine}`);
        }),
      );
      open();
      const results = await Promise.allSettled(all);
      expect(renders).toBe(5);
      const texts = results.map((result) => (result.status === 'fulfilled' ? result.value.parts[0] : 'failed'));
      expect(new Set(texts).size).toBe(5);
    }
  });

  test('lets nobody who comes after a commit join a render that began before it', async () => {
    const { cache, changes } = makeCache();
    const { opened, open } = loadShedder();
    let price = 'old';
    const show = (wait: Promise<void>) =>
      cache.render(question(), async (tracker) => {
        tracker.table('product');
        const read = price;
        await wait;
        return page(read);
      });
    const early = show(opened);
    await Promise.resolve();
    price = 'new';
    changes.commit('product');
    const late = show(Promise.resolve());
    expect((await late).parts).toEqual(['new']);
    open();
    expect((await early).parts).toEqual(['old']);
    expect(cache.lookup(question())?.plain.bytes.toString()).toBe('new');
  });

  test('renders anew for a visitor who wrote through another process, and not for one who wrote through this one', async () => {
    const { cache } = makeCache();
    const { cache: other } = makeCache();
    await cache.render(question(), async () => page('kept'));
    const mark = (from: PageCache): string => /^pergola_wrote=([^;]+)/.exec(from.afterWrite()[0] ?? '')?.[1] ?? '';
    expect(cache.lookup(question({ cookies: { pergola_wrote: mark(cache) } }))).not.toBeNull();
    expect(cache.lookup(question({ cookies: { pergola_wrote: mark(other) } }))).toBeNull();
    expect(cache.afterWrite()[0]).toMatch(/; Path=\/; Max-Age=2; HttpOnly; SameSite=Lax$/);
  });

  test('stays within its bytes and lets go first of what was not asked for longest', async () => {
    const { cache } = makeCache({ bytes: 100_000 });
    const at = (number: number) => question({ path: `/p/${number}`, visitedPath: `/p/${number}` });
    for (let number = 0; number < 40; number += 1) {
      await cache.render(at(number), async () => page('x'.repeat(5_000)));
      cache.lookup(at(0));
    }
    expect(cache.stats.bytes).toBeLessThanOrEqual(100_000);
    expect(cache.stats.pages).toBeGreaterThan(10);
    expect(cache.lookup(at(0))).not.toBeNull();
    expect(cache.lookup(at(1))).toBeNull();
    expect(cache.lookup(at(39))).not.toBeNull();
    await cache.render(at(100), async () => page('x'.repeat(20_000)));
    expect(cache.explain(at(100))).toContain('20000');
  });

  test('drops the pages of an older generation as soon as a newer one renders', async () => {
    const { cache } = makeCache();
    await cache.render(question(), async () => page('one'));
    await cache.render(question({ number: 2 }), async () => page('two'));
    expect(cache.stats.pages).toBe(1);
  });

  test('gives pages with holes in parts, without a validator, and never to be stored for a session', async () => {
    const { cache } = makeCache();
    const holes = [{ kind: 'csrf' }] as const;
    await cache.render(question({ session: true }), async () => page('', { parts: ['a', 'b'], holes }));
    const kept = cache.lookup(question({ session: true }));
    expect(kept?.parts.map(String)).toEqual(['a', 'b']);
    expect(kept?.holes).toEqual(holes);
    expect(kept?.etag).toBeNull();
    expect(kept?.headers['Cache-Control']).toBe('private, no-store');
  });

  test('says for developers that a page was kept, and why another was not', async () => {
    const cache = new PageCache({ changes: new StagedChanges(), secure: false, dev: true });
    await cache.render(question(), async () => page('one'));
    expect(cache.lookup(question())?.headers).toMatchObject({ 'X-Pergola-Cache': 'kept' });
    expect(cache.explain(question())).toBeNull();
    await cache.render(question({ path: '/mine' }), async (tracker) => {
      tracker.personal('it reads the session (get)');
      return page('two');
    });
    expect(cache.explain(question({ path: '/mine' }))).toBe('it reads the session (get)');
  });

  test('stops listening when it is closed', () => {
    const { cache, changes } = makeCache();
    expect(changes.listeners).toBe(1);
    cache.close();
    expect(changes.listeners).toBe(0);
  });
});
