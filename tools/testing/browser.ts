import type { BrowserContext, Page } from 'playwright-core';
import { findChromium } from './browser/find.ts';
import { type Recorder, recordTrouble, type Trouble } from './browser/trouble.ts';
import type { Client } from './client.ts';

export { type AccessibleOptions, expectAccessible } from './browser/accessible.ts';
export type { Trouble } from './browser/trouble.ts';

/** How a visitor looks at the site. */
export interface PageOptions {
  /** CSS pixels, 1280 × 800 unless told */
  width?: number;
  height?: number;
  /** asks for dark colours */
  dark?: boolean;
  /** `en-US` unless told; also what `Accept-Language` says */
  locale?: string;
  /** IANA zone, that of this machine unless told */
  timezone?: string;
  /** false: as a visitor without it */
  javaScript?: boolean;
  /** asks for less motion */
  reducedMotion?: boolean;
  /** what relative addresses start from: `page.goto('/shop')` */
  baseUrl?: string;
  /** whose visit it goes on with, at `baseUrl`: `await app.as('admin')` */
  client?: Client;
}

/** A page of a visitor of its own: no cookie, storage or cache is shared with another. */
export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What went wrong so far; grows while the page is used. */
  readonly trouble: Trouble;
  /** Waits until the page has come to rest, then throws all that went wrong. At most 0.01 of layout shift passes unless told. */
  expectNoTrouble(allowed?: { layoutShift?: number }): Promise<void>;
  close(): Promise<void>;
}

/** Chromium, for pages of as many visitors as a test needs. */
export interface TestBrowser {
  openPage(options?: PageOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

// The sandbox needs rights that root and containers lack; the rest keeps the browser from calling its maker.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Containers often give 64 MB of shared memory, which is not enough.
  '--disable-dev-shm-usage',
  // Letters as wide as in a window; a headless shell rounds their widths.
  '--font-render-hinting=none',
  // No page of ours may need another host, and no test may wait for one.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
];

/** The longest wait for a page, on a busy machine. */
const PATIENCE_MS = 180_000;

/** Starts Chromium without a window, in a third of a second. Whoever starts it closes it. */
export async function startBrowser(): Promise<TestBrowser> {
  const { chromium } = await import('playwright-core');
  const { executablePath, env } = findChromium();
  const browser = await chromium.launch({ executablePath, args: flags, env: { ...process.env, ...env } });
  return {
    async openPage(options = {}) {
      const { width = 1280, height = 800, dark = false, locale = 'en-US', javaScript = true } = options;
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: dark ? 'dark' : 'light',
        locale,
        javaScriptEnabled: javaScript,
        reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
        ...(options.timezone ? { timezoneId: options.timezone } : {}),
        ...(options.baseUrl ? { baseURL: options.baseUrl } : {}),
      });
      // Below the limit of a test (`jest.config.js`), so that what was waited for is told, and not that time was up.
      context.setDefaultTimeout(PATIENCE_MS);
      await context.addCookies(cookiesOf(options));
      const page = await context.newPage();
      const recorder = await recordTrouble(context, page);
      return {
        page,
        context,
        trouble: recorder.trouble,
        expectNoTrouble: (allowed) => expectNoTrouble(page, recorder, javaScript, allowed?.layoutShift ?? 0.01),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

function cookiesOf({ client, baseUrl: url = '' }: PageOptions): { name: string; value: string; url: string }[] {
  return Object.entries(client?.cookies ?? {}).map(([name, value]) => ({ name, value, url }));
}

/**
 * A browser for the tests of this file (or `describe`): started before the first, closed after the last.
 *
 * ```ts
 * const browser = withBrowser();
 * test('The shop opens on a phone', async () => {
 *   const { page, expectNoTrouble } = await browser.openPage({ width: 360, height: 740, baseUrl: app.url });
 *   await page.goto('/shop');
 *   await expectNoTrouble();
 *   await expectAccessible(page);
 * });
 * ```
 */
export function withBrowser(): Pick<TestBrowser, 'openPage'> {
  const open: OpenPage[] = [];
  let started: TestBrowser | undefined;
  beforeAll(async () => {
    started = await startBrowser();
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((page) => page.close()));
  });
  afterAll(async () => {
    await started?.close();
  });
  return {
    async openPage(options) {
      if (started === undefined) throw new Error('The browser starts before the first test: open pages within tests.');
      const page = await started.openPage(options);
      open.push(page);
      return page;
    },
  };
}

async function expectNoTrouble(
  page: Page,
  { trouble, quiet }: Recorder,
  javaScript: boolean,
  layoutShift: number,
): Promise<void> {
  await page.waitForLoadState('load');
  await quiet();
  // Layout shifts are reported with the frame after the one they are in. Chromium may collect a promise that only its frames hold.
  if (javaScript)
    await page.evaluate(() => {
      const framed = new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return Object.assign(globalThis, { framed }).framed;
    });
  const { consoleErrors, pageErrors, failedRequests, shifted } = trouble;
  const lines = [
    ...consoleErrors.map((text) => `console: ${text}`),
    ...pageErrors.map((text) => `exception: ${text}`),
    ...failedRequests.map((text) => `request: ${text}`),
  ];
  if (trouble.layoutShift > layoutShift)
    lines.push(`layout shift of ${trouble.layoutShift.toFixed(3)}: ${shifted.join(' ')}`);
  if (lines.length > 0) throw new Error(`${page.url()} had trouble:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
