import { gzipSync } from 'node:zlib';
import { createTestApp, someDatabase, type TestApp } from 'pergola/testing';
import { EventEvent } from '../models/event-event.ts';

/** What each addon shows on the demo's home page. */
const parts = {
  website_event: 'events-block',
  website_sale: 'products-block',
  dribblo: 'next-match',
  forum: 'questions-block',
  mass_mailing: 'subscribe-block',
} as const;

someDatabase('The demo’s home page with all addons', (database) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ addons: Object.keys(parts), demo: true, database });
  });
  afterAll(() => app.close());

  const home = async () => (await app.visitor().get('/')).text;
  const shown = async () => {
    const text = await home();
    return Object.values(parts).filter((slot) => text.includes(`data-slot="${slot}"`));
  };

  it('has a part of each addon, and the journal', async () => {
    expect(await shown()).toEqual(Object.values(parts));
    expect(await home()).toContain('data-slot="page-list"');
  });

  it('shows questions in the language it is read in', async () => {
    const forums = async (path: string) => {
      const { text } = await app.visitor().get(path);
      return [...text.matchAll(/class="fw-semibold" href="(?:\/fr)?\/forum\/([^/"]+)/g)].map(([, forum]) => forum);
    };
    expect(new Set(await forums('/'))).toEqual(new Set(['help-1']));
    expect(new Set(await forums('/fr'))).toEqual(new Set(['questions-en-francais-2']));
  });

  it('needs few style sheets of its own, and its pictures below the first view are lazy', async () => {
    const text = await home();
    // Those of every page are counted where they are made.
    const sheets = new Set(
      Array.from(text.matchAll(/<link rel="stylesheet" href="([^"]+\.page\.[^"]+)"/g), ([, to = '']) => to),
    );
    const texts = await Promise.all([...sheets].map(async (to) => (await app.visitor().get(to)).text));
    expect(texts.reduce((sum, sheet) => sum + gzipSync(sheet).length, 0)).toBeLessThan(3_000);
    const eager = Array.from(text.matchAll(/<img\b[^>]*>/g), ([tag]) => tag).filter(
      (tag) => !tag.includes('loading="lazy"'),
    );
    expect(eager.filter((tag) => tag.includes('/web/image') || tag.includes('/pictures/'))).toHaveLength(1);
  });

  it('leads to a list of events that is made ready ahead with its first picture: lazy ones wait until it is seen', async () => {
    const { text } = await app.visitor().get('/event');
    const pictures = Array.from(text.matchAll(/<img\b[^>]*event-picture[^>]*>/g), ([tag]) => tag);
    const atOnce = (tag: string) => tag.includes('fetchpriority="high"') && !/lazy|auto,/.test(tag);
    expect(pictures.map(atOnce)).toEqual(pictures.map((_tag, place) => place < 1));
    expect(pictures.length).toBeGreaterThan(3);
  });

  it('loads React for nobody who only looks', async () => {
    const wakes = Array.from((await home()).matchAll(/data-wake="(\w+)"/g), ([, how]) => how);
    expect(wakes).toContain('return');
    expect(wakes.filter((how) => how === 'idle' || how === 'load')).toEqual([]);
  });

  it('follows a change at once', async () => {
    const name = /data-slot="events-block"[\s\S]*?stretched-link"[^>]*>([^<]+)</.exec(await home())?.[1] ?? '';
    await app.write(async (ctx) => {
      const ids = await ctx.model(EventEvent).search([['name', '=', name]]);
      await ctx.model(EventEvent).write(ids, { name: 'Night of the lanterns' });
    });
    const text = await home();
    expect(text).toContain('Night of the lanterns');
    expect(text).not.toContain(`>${name}<`);
  });

  it('loses the part of an addon that is switched off, without a trace, and has it back', async () => {
    for (const [addon, slot] of Object.entries(parts)) {
      await app.application.lifecycle.disable([addon], { yes: true });
      const text = await home();
      expect([addon, text.includes(`data-slot="${slot}"`)]).toEqual([addon, false]);
      // Nothing is left in its place but the mark for editors.
      expect(text).toMatch(new RegExp(`<div data-block="${addon}\\.[^>]*></div>`));
      await app.application.lifecycle.enable(addon === 'website_sale' ? ['website_sale', 'website_event'] : [addon]);
      expect(await shown()).toEqual(Object.values(parts));
    }
  });
});
