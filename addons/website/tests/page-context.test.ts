import { readdirSync } from 'node:fs';
import { type CallError, createTestApp, type TestApp, withBrowser } from 'pergola/testing';
import type { Page, Request } from 'playwright-core';
import { Website } from '../models/website.ts';

const addons = readdirSync(new URL('../../', import.meta.url));

describe('Calls are answered in the language of their page', () => {
  let app: TestApp;
  const browser = withBrowser();
  beforeAll(async () => {
    app = await createTestApp({ addons, demo: true });
  });
  afterAll(() => app?.close());

  /** Visitor who selected a language in another tab. */
  const visitorWith = (lang: string) => {
    const visitor = app.visitor();
    visitor.keepCookies([`website_lang=${lang}; Path=/`]);
    return visitor;
  };
  const french = { lang: 'fr_FR', website_id: 1 };
  const english = { lang: 'en_US', website_id: 1 };
  const refusal = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'no refusal',
      (error: CallError) => error.data.message,
    );

  it.each([
    ['a French page', 'en_US', french, 'Appel incorrect'],
    ['an English page', 'fr_FR', english, 'Invalid call'],
    ['a page in a language that the site has not', 'fr_FR', { lang: 'de_DE' }, 'Appel incorrect'],
    ['a context that is none', 'fr_FR', 'fr', 'Appel incorrect'],
    ['a page of another website', 'en_US', { lang: 'fr_FR', website_id: 99 }, 'Appel incorrect'],
  ])('by %s', async (_page, cookie, context, text) => {
    const visitor = visitorWith(cookie);
    expect(await refusal(visitor.rpc('/matchs/week', { week: 'none', context }))).toContain(text);
    expect(visitor.cookie('website_lang')).toBe(cookie);
  });

  it('also where they are refused before they are read, and where they do not fit', async () => {
    const early = (context: object) =>
      refusal(visitorWith('en_US').rpc('/dribblo/wall/new', { name: 'A', wall_id: 1, context }));
    expect(await early(french)).not.toBe(await early(english));
    const unfit = (context: object) =>
      refusal(visitorWith('en_US').rpc('/shop/cart/update_json', { line_id: 'x', context }));
    expect(await unfit(french)).not.toBe(await unfit(english));
  });

  it('where a header names it: forms of scripts, fragments, data', async () => {
    const header = (lang: string) => ({ 'X-Page-Context': `lang=${lang}&website_id=1` });
    const board = async (cookie: string, lang: string) =>
      (
        await visitorWith(cookie).post('/event/get_country_event_list', {
          headers: { Origin: app.url, ...header(lang) },
        })
      ).text;
    expect(await board('fr_FR', 'en_US')).toBe(await board('en_US', 'en_US'));
    expect(await board('en_US', 'fr_FR')).not.toBe(await board('en_US', 'en_US'));
    // Partial content fetched by a script, also from the cache, doesn't redirect to the other language.
    for (const cookie of ['fr_FR', 'en_US', 'fr_FR']) {
      const page = await visitorWith(cookie).get('/shop', { headers: header('en_US') });
      expect([page.status, page.text.includes('lang="en-US"')]).toEqual([200, true]);
    }
    expect((await visitorWith('fr_FR').get('/shop')).location).toBe('/fr/shop');
  });

  it('where it is a form without a script, by the address of its page', async () => {
    const send = async (cookie: string, path: string, referer: string) => {
      const visitor = visitorWith(cookie);
      const answer = await visitor.form(path, {}, { Referer: app.url + referer, Accept: 'text/html' });
      return [answer.status, /<html[^>]* lang="(\w+)/.exec(answer.text)?.[1], visitor.cookie('website_lang')];
    };
    expect(await send('fr_FR', '/website/contact', '/contactus')).toEqual([422, 'en', 'fr_FR']);
    expect(await send('en_US', '/fr/website/contact', '/fr/contactus')).toEqual([422, 'fr', 'fr_FR']);
    expect(await send('fr_FR', '/website/contact', '/web')).toEqual([422, 'fr', 'fr_FR']);
  });

  it('and opens nothing: another website stays that of its host', async () => {
    const otherSite = await app.write(async (ctx) => {
      const [french] = await ctx.modelNamed('res.lang').search([['code', '=', 'fr_FR']]);
      return ctx.model(Website).create({
        name: 'Other',
        domain: 'other.localhost',
        language_ids: [french as number],
        default_lang_id: french as number,
      });
    });
    const page = await app.get('/shop', { headers: { 'X-Page-Context': `lang=en_US&website_id=${otherSite}` } });
    expect(page.text).toContain('data-website-id="1"');
    await app.write((ctx) => ctx.model(Website).unlink([otherSite]));
  });

  describe('in two tabs', () => {
    interface Tab {
      readonly page: Page;
      readonly calls: readonly Request[];
    }

    /** Opens a tab, in which another tab then changes the language. */
    async function openTab(path: string, otherLang: string): Promise<Tab> {
      const { page, context } = await browser.openPage({ baseUrl: app.url });
      const calls: Request[] = [];
      page.on('request', (request) => {
        if (['fetch', 'xhr', 'eventsource'].includes(request.resourceType()) && !request.url().includes('/_assets/'))
          calls.push(request);
      });
      await page.goto(path);
      const second = await context.newPage();
      await second.goto(`/website/lang/${otherLang}?r=%2F`);
      await second.close();
      await page.bringToFront();
      calls.length = 0;
      return { page, calls };
    }

    /** Language of a call, wherever it is specified. */
    function languageOf(request: Request): string | undefined {
      const text = request.headers()['x-page-context'] ?? new URL(request.url()).searchParams.get('context');
      if (text) return new URLSearchParams(text).get('lang') ?? undefined;
      const body = JSON.parse(request.postData() ?? '{}') as { params?: { context?: { lang?: string } } };
      return body.params?.context?.lang;
    }

    /** Streams close and reopen. */
    const leaveAndReturn = (page: Page): Promise<void> =>
      page.evaluate(() => {
        dispatchEvent(new Event('pagehide'));
        dispatchEvent(new Event('pageshow'));
      });
    /** An island that is inserted again is hydrated again. */
    const putBack = (page: Page, name: string): Promise<void> =>
      page.evaluate(async (name) => {
        const island = document.querySelector(`[data-name="${name}"]`);
        const parent = island?.parentElement;
        if (!island || !parent) throw new Error(`There is no island ${name}.`);
        island.remove();
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        parent.prepend(island);
      }, name);
    const tapping = (selector: string) => (page: Page) => page.locator(selector).first().click();
    it.each<[island: string, path: string, act: (page: Page) => Promise<unknown>, call: RegExp]>([
      ['MatchWeek', '/matchs', tapping('[data-turn=next]'), /matchs\/week/],
      [
        'TeamFilter',
        '/club/blocks',
        (page) => page.locator('.js_team_filter select').first().selectOption({ index: 1 }),
        /get_for_week/,
      ],
      ['Wall', '/wall/1', tapping('.js_more'), /dribblo\/wall/],
      [
        'Votes',
        'a question',
        async (page) => {
          await page.locator('[data-name="forum.Votes"] button').first().click();
        },
        /vote/,
      ],
      ['LiveList', '/forum/help-1', leaveAndReturn, /forum\/live/],
      ['CountryEvents', '/event', (page) => putBack(page, 'website_event.CountryEvents'), /get_country_event_list/],
      [
        'Subscribe',
        '/',
        async (page) => {
          await page.locator('main .js_subscribe_email').fill('ann@example.org');
          await page.locator('main .js_subscribe_btn').first().click();
        },
        /website_mass_mailing/,
      ],
    ])('%s', async (_island, path, act, call) => {
      const question =
        /"(\/forum\/help-1\/question\/[\w-]+-\d+)"/.exec((await app.get('/forum/help-1')).text)?.[1] ?? '';
      const plain = path === 'a question' ? question : path;
      for (const [prefix, lang, otherLang] of [
        ['/fr', 'fr_FR', 'default'],
        ['', 'en_US', 'fr_FR'],
      ] as const) {
        const { page, calls } = await openTab(`${prefix}${plain === '/' ? '' : plain}` || '/', otherLang);
        // An island that is removed cancels its own call, which then has no response.
        const answer = page.waitForResponse(
          (response) => call.test(response.url()) && response.request().resourceType() !== 'document',
        );
        await act(page);
        expect((await answer).status()).toBe(200);
        expect(calls.map((request) => [request.url(), languageOf(request)])).toEqual(
          calls.map((request) => [request.url(), lang]),
        );
      }
    });
  });
});
