import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { findChromium } from './browser/find.ts';
import { type Recorder, recordTrouble, type Trouble } from './browser/trouble.ts';
import type { Client } from './client.ts';

export { type AccessibleOptions, expectAccessible } from './browser/accessible.ts';
export type { Trouble } from './browser/trouble.ts';

/** Settings of a visitor's browser page. */
export interface PageOptions {
  /** in CSS pixels, 1280 × 800 by default */
  width?: number;
  height?: number;
  /** prefers dark colours */
  dark?: boolean;
  /** `en-US` by default; also sets `Accept-Language` */
  locale?: string;
  /** IANA time zone, by default that of this machine */
  timezone?: string;
  /** false for a visitor without JavaScript */
  javaScript?: boolean;
  /** prefers reduced motion */
  reducedMotion?: boolean;
  /** base for relative URLs: `page.goto('/shop')` */
  baseUrl?: string;
  /** client whose session the page continues, at `baseUrl`: `await app.as('admin')` */
  client?: Client;
}

/** A page of a separate visitor, who shares no cookies, storage or cache with others. */
export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Problems so far; grows while the page is used. */
  readonly trouble: Trouble;
  /** Requests cancelled so far, mostly because the page was left. */
  readonly cancelled: readonly string[];
  /** Waits until the page is idle, then throws all problems. Allows a layout shift of at most 0.01 by default. */
  expectNoTrouble(allowed?: { layoutShift?: number }): Promise<void>;
  close(): Promise<void>;
}

/** Chromium, with pages for as many visitors as a test needs. */
export interface TestBrowser {
  openPage(options?: PageOptions): Promise<OpenPage>;
  close(): Promise<void>;
}

// Root and containers lack the rights for the sandbox; the other flags prevent calls home.
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Containers often have only 64 MB of shared memory, which isn't enough.
  '--disable-dev-shm-usage',
  // Same text width as in a window; a headless shell rounds it.
  '--font-render-hinting=none',
  // No page may need another host, and no test may wait for one.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1, EXCLUDE [::1]',
];

/** Longest time to wait for a page on a busy machine. */
const PATIENCE_MS = 180_000;

/** Starts headless Chromium in a third of a second. The caller must close it. */
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
      // Shorter than a test's timeout (`jest.config.js`), so that the error names the awaited element.
      context.setDefaultTimeout(PATIENCE_MS);
      await context.addCookies(cookiesOf(options));
      const page = await context.newPage();
      const recorder = await recordTrouble(context, page);
      return {
        page,
        context,
        trouble: recorder.trouble,
        cancelled: recorder.cancelled,
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
  describeFailures[Symbol.for('pergola.test.describer')]?.(async () =>
    (await Promise.all(open.map(describePage))).join('\n'),
  );
  return {
    async openPage(options) {
      if (started === undefined) throw new Error('The browser isn’t running yet: open pages inside tests.');
      const page = await started.openPage(options);
      open.push(page);
      return page;
    },
  };
}

/** Set by tools/testing/jest/node.ts. */
const describeFailures: { [key: symbol]: undefined | ((describer: () => Promise<string>) => void) } =
  globalThis as never;

/** Describes a page for a failed test: its problems, and what isn't ready, with which a wait that ends in vain can be explained. */
async function describePage({ page, trouble, cancelled }: OpenPage): Promise<string> {
  const state = page.evaluate(async () => ({
    load: document.readyState,
    draws: await new Promise((resolve) => {
      requestAnimationFrame(() => resolve(true));
      setTimeout(resolve, 1_000, false);
    }),
    scripts: (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.js'))
      .map(
        ({ name, responseStatus, duration }) =>
          `${responseStatus} ${name.split('/').at(-1)} ${Math.round(duration)} ms`,
      ),
    visible: document.visibilityState,
    asleep: [...document.querySelectorAll<HTMLElement>('pergola-island:not([data-awake=ready])')].map(
      ({ dataset }) => `${dataset.name} ${dataset.wake} ${dataset.awake ?? ''}`,
    ),
    messages: [...document.querySelectorAll('[role=alert], [role=status]')].map(({ textContent }) => textContent),
  }));
  const answer = await Promise.race([state.catch(String), sleep(2_000, 'no answer within 2 s', { ref: false })]);
  return `${page.url()} ${JSON.stringify({ state: answer, problems: linesOf(trouble), cancelled })}`;
}

function linesOf({ consoleErrors, pageErrors, failedRequests }: Trouble): string[] {
  return [
    ...consoleErrors.map((text) => `console: ${text}`),
    ...pageErrors.map((text) => `exception: ${text}`),
    ...failedRequests.map((text) => `request: ${text}`),
  ];
}

async function expectNoTrouble(
  page: Page,
  { trouble, quiet }: Recorder,
  javaScript: boolean,
  layoutShift: number,
): Promise<void> {
  await page.waitForLoadState('load');
  await quiet();
  // Layout shifts are reported in the frame after they happen. Chromium may collect a promise that only its frames hold.
  if (javaScript)
    await page.evaluate(() => {
      const framed = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return Object.assign(globalThis, { framed }).framed;
    });
  const lines = linesOf(trouble);
  if (trouble.layoutShift > layoutShift)
    lines.push(`layout shift of ${trouble.layoutShift.toFixed(3)}: ${trouble.shifted.join(' ')}`);
  if (lines.length > 0) throw new Error(`${page.url()} had problems:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
