import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Client, createTestApp, type TestApp, withBrowser } from 'pergola/testing';
import type { BrowserContext, Page, Request } from 'playwright-core';

const folder = resolve(import.meta.dirname, '../..');
const addons = readdirSync(folder);
/** Functions that call the server, all of which send the page's language. */
const CALLS = /\buse(?:Action|Call|Events)\b|\b(?:rpc|request|postForm|sendForm|openStream)(?:<[^>()]*>)?\(/;
/** Functions that bypass them. */
const BARE = /\bfetch\(|\bXMLHttpRequest\b|\bnew EventSource\b/;

const sourcesIn = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name) && !/(^|\/)tests\//.test(name))
        .map((name) => join(path, name))
    : [];

/** Returns whether a script, or one it imports from its own addon, calls the server. */
function isCalling(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file) || !existsSync(file)) return false;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  if (CALLS.test(source)) return true;
  return [...source.matchAll(/^import (?!type\b)[^;]*?from '(\.[^']+)'/gm)].some(([, path = '']) =>
    isCalling(resolve(dirname(file), path), seen),
  );
}

/** Names such as `website_sale.Cart` of all islands that call the server. */
function callingIslands(): string[] {
  return addons.flatMap((addon) => {
    const islands = join(folder, addon, 'islands');
    if (!existsSync(islands)) return [];
    return readdirSync(islands)
      .filter((name) => name.endsWith('.tsx') && isCalling(join(islands, name)))
      .map(
        (name) =>
          `${addon}.${name.replace('.tsx', '').replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
      );
  });
}

test('no script of a page reaches the server without the language of its page', () => {
  const bare = addons
    .flatMap((addon) =>
      ['islands', 'behaviours', 'kit', 'backend', 'editor/browser', 'calendar'].flatMap((part) =>
        sourcesIn(join(folder, addon, part)),
      ),
    )
    .filter((file) => BARE.test(readFileSync(file, 'utf8')))
    .map((file) => file.slice(folder.length + 1));
  // Pages, which have their language in the address, and images.
  expect(bare).toEqual([
    'website/behaviours/picture-ahead.ts',
    'website/editor/browser/faults.ts',
    'website/editor/browser/media.ts',
    'website/editor/browser/ui/crop-dialog.tsx',
  ]);
});

describe('With a French page in this tab, and English chosen in another', () => {
  let app: TestApp;
  let admin: Client;
  let visitor: Client;
  const browser = withBrowser();
  const calledIslands = new Set<string>();

  beforeAll(async () => {
    app = await createTestApp({ addons, demo: true });
    admin = await app.as('admin');
    visitor = app.visitor();
  });
  afterAll(() => app?.close());

  /** Records calls of the page's scripts without performing them. */
  async function openTab(client: Client, path: string) {
    const opened = await browser.openPage({ baseUrl: app.url, client, reducedMotion: true });
    const { page, context }: { page: Page; context: BrowserContext } = opened;
    await page.goto(path);
    const second = await context.newPage();
    await second.goto('/website/lang/default?r=%2F');
    await second.close();
    await page.bringToFront();
    const calls: Request[] = [];
    await page.route('**/*', async (route) => {
      const request = route.request();
      const isCall =
        ['fetch', 'xhr', 'eventsource'].includes(request.resourceType()) && !request.url().includes('/_assets/');
      if (isCall) calls.push(request);
      if (isCall || request.isNavigationRequest()) await route.fulfill({ status: 204 });
      else await route.continue();
    });
    return { page, calls };
  }

  /** Language of a call, wherever it is specified. */
  function languageOf(request: Request): string | undefined {
    const text = request.headers()['x-page-context'] ?? new URL(request.url()).searchParams.get('context');
    return new URLSearchParams(text ?? '').get('lang') ?? undefined;
  }

  /** Uses an island like a visitor: scrolls to it, fills it in, presses all buttons, leaves the tab and returns. */
  async function tryIsland(page: Page, name: string): Promise<void> {
    await page.evaluate(async (name) => {
      // Waits until React is idle, however busy the machine is.
      const pause = (): Promise<unknown> =>
        new Promise((resolve) => setTimeout(() => requestIdleCallback(resolve, { timeout: 5_000 }), 60));
      for (const island of [...document.querySelectorAll<HTMLElement>(`pergola-island[data-name="${name}"]`)].slice(
        0,
        2,
      )) {
        if (name === 'website_event.CountryEvents' && island.dataset.awake === 'ready') {
          // It calls once, when it starts, and did so before calls were recorded. Inserted again, it starts again.
          const place = document.createComment('');
          island.replaceWith(place);
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          place.replaceWith(island);
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        }
        island.scrollIntoView();
        island.dispatchEvent(new Event('pointerover', { bubbles: true }));
        for (let waited = 0; waited < 500 && island.dataset.awake !== 'ready'; waited++) await pause();
        await pause();
        const type = (field: HTMLInputElement | HTMLTextAreaElement, text: string): void => {
          const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
          set?.call(field, text);
          field.dispatchEvent(new Event('input', { bubbles: true }));
        };
        for (const field of island.querySelectorAll<HTMLInputElement>(
          'input:not([type=hidden]):not([type=checkbox]):not([type=radio]):not([type=file]), textarea',
        )) {
          field.focus();
          type(
            field,
            field.type === 'email'
              ? 'ann@example.org'
              : field.inputMode === 'numeric' || field.type === 'number'
                ? '3'
                : 'jardin',
          );
          field.dispatchEvent(new Event('change', { bubbles: true }));
        }
        for (const select of island.querySelectorAll('select')) {
          select.selectedIndex = select.options.length - 1;
          select.dispatchEvent(new Event('change', { bubbles: true }));
        }
        for (const box of island.querySelectorAll<HTMLElement>('input[type=checkbox], input[type=radio]')) box.click();
        await pause();
        for (const button of island.querySelectorAll<HTMLElement>(
          'button, a[data-in-place], a[data-turn], a.page-link, [role=button]',
        )) {
          if (!button.isConnected) continue;
          button.click();
          await pause();
          document.querySelector<HTMLElement>('dialog[open] .btn-danger, dialog[open] .btn-primary')?.click();
          await pause();
        }
      }
      dispatchEvent(new Event('pagehide'));
      dispatchEvent(new Event('pageshow'));
      document.dispatchEvent(new Event('visibilitychange'));
      await pause();
    }, name);
  }

  async function tabs(): Promise<readonly (readonly [Client, string])[]> {
    const find = async (path: string, link: RegExp): Promise<string> =>
      link.exec((await app.get(path)).text)?.[1] ?? '';
    const question = await find('/forum/help-1', /"(\/forum\/help-1\/question\/[\w-]+-\d+)"/);
    const quote = await app.read(async (ctx) => {
      const [order] = await ctx
        .modelNamed('sale.order')
        .find([['state', '=', 'sent']], { select: { access_token: true }, limit: 1 });
      return `/quote/${order?.id}/${order?.access_token}`;
    });
    const soldOut = await app.read((ctx) => ctx.ref('website_event.demo_lantern_concert'));
    await visitor.form('/shop/cart/update', { product_id: 1, add_qty: 1 });
    return [
      [admin, question],
      [admin, '/forum/help-1'],
      [admin, '/forum/help-1/ask'],
      [admin, '/forum/help-1/validation_queue'],
      [admin, '/wall/1'],
      [admin, '/matchs/1/result'],
      [visitor, '/club'],
      [visitor, '/matchs'],
      [visitor, '/event'],
      [visitor, `/event/${soldOut}/register`],
      [visitor, '/calendar'],
      [visitor, quote],
      [visitor, '/shop/product/1'],
      [visitor, '/shop/cart'],
      [admin, '/my/addresses/new'],
      [visitor, '/'],
    ];
  }

  test('every call of an island names French', async () => {
    // The others call in the same way; in the demo they need a payment, a passkey, an unconfirmed address or a match to record, or they call
    // before this test listens. The backend's address names no language: its screens are in the user's.
    const untried = [
      'auth.PasskeyAdd',
      'auth.PasskeySignIn',
      'dribblo.CallUpAnswer',
      'dribblo.Score',
      'dribblo.Weather',
      'forum.Comment',
      'forum.Validation',
      'quote.Accept',
      'quote.Summary',
      'sale.Payment',
      'web.Backend',
      'website.KanbanColumn',
      'website_sale.Cart',
      'website_sale.Checkout',
      'website_sale.Choice',
      'website_sale.OrderParts',
      'website_sale.ShowFound',
      'website_sale.Status',
    ];
    const islands = callingIslands();
    const wrong: string[] = [];
    for (const [client, path] of await tabs()) {
      const { page, calls } = await openTab(client, `/fr${path}`);
      const names = await page.evaluate(() => [
        ...new Set(
          [...document.querySelectorAll<HTMLElement>('pergola-island')].map(({ dataset }) => dataset.name ?? ''),
        ),
      ]);
      for (const name of names.filter((name) => islands.includes(name) && !untried.includes(name))) {
        const previousCount = calls.length;
        await tryIsland(page, name);
        // Some calls wait until typing pauses.
        for (let waited = 0; calls.length === previousCount && !calledIslands.has(name) && waited < 300; waited++)
          await page.waitForTimeout(100);
        if (calls.length > previousCount) calledIslands.add(name);
      }
      wrong.push(...calls.filter((call) => languageOf(call) !== 'fr_FR').map((call) => `${path}: ${call.url()}`));
      await page.close();
    }
    expect(islands.filter((name) => !calledIslands.has(name) && !untried.includes(name))).toEqual([]);
    expect(wrong).toEqual([]);
  });
});
