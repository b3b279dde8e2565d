import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../tools/testing/browser.ts';
import { Client } from '../tools/testing/index.ts';
import { median, startServer } from './harness.ts';

/** What a visitor feels of one page on a slow phone. Times in milliseconds, sizes in KB gzipped. */
interface Felt {
  /** Scripts that are asked for before React is: until the page has come to rest. */
  readonly before: number;
  readonly scripts: number;
  readonly blocked: number;
  readonly lcp: number;
  readonly inp: number;
  readonly shift: number;
  /** Lines of the console. */
  readonly console: number;
}

/** A page, and what is pressed on it. */
type Stop = readonly [name: string, path: string, press: string];

/** As a cheap phone on a slow connection. */
const CPU_SLOWED = 4;
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
/** Runs in the page: what its observers see is kept there. */
function observe(): void {
  const seen = { blocked: 0, lcp: 0, inp: 0, shift: 0 };
  Object.assign(window, { seen });
  const on = (type: string, see: (entry: PerformanceEntry & { value?: number }) => void, more = {}): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true, ...more });
  on('longtask', ({ duration }) => {
    // What a task takes longer than is felt.
    seen.blocked += duration - 50;
  });
  on('largest-contentful-paint', ({ startTime }) => {
    seen.lcp = startTime;
  });
  on('layout-shift', ({ value = 0 }) => {
    seen.shift += value;
  });
  on(
    'event',
    ({ duration }) => {
      seen.inp = Math.max(seen.inp, duration);
    },
    { durationThreshold: 16 },
  );
}

async function visit(browser: TestBrowser, base: string, client: Client, [, path, press]: Stop): Promise<Felt> {
  const { page, close } = await browser.openPage({ baseUrl: base, client, width: 360, height: 740 });
  const scripts: Promise<readonly [number, number]>[] = [];
  let react = Number.POSITIVE_INFINITY;
  let lines = 0;
  page.on('console', () => lines++);
  page.on('response', (response) => {
    const request = response.request();
    if (request.resourceType() !== 'script' || response.status() !== 200) return;
    const at = Date.now();
    if (/\/react-dom-client/.test(request.url())) react = Math.min(react, at);
    scripts.push(response.body().then((body) => [at, gzipSync(body, { level: 9 }).byteLength / 1024] as const));
  });
  await slow(page);
  await page.addInitScript(observe);
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.waitForTimeout(1500);
  await page.locator(press).first().click();
  await page.waitForTimeout(1000);
  const seen = await page.evaluate(() => (window as unknown as { seen: Omit<Felt, 'before'> }).seen);
  const loaded = await Promise.all(scripts);
  await close();
  const sum = (some: readonly (readonly [number, number])[]) => some.reduce((total, [, size]) => total + size, 0);
  // React's own files are asked for together.
  const before = sum(loaded.filter(([at]) => at < react - 1000));
  return { ...seen, before, scripts: sum(loaded), console: lines };
}

async function slow(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWED });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
}

const stops: readonly Stop[] = [
  ['product', '/shop/product/watering-can-8', '.site-menu-toggle'],
  ['shop', '/shop', '.site-menu-toggle'],
  ['cart', '/shop/cart', '.site-menu-toggle'],
  ['question', '/forum/help-1/question/which-climbing-rose-grows-on-a-north-facing-pergola-1', '.forum-vote button'],
  ['match week', '/matchs', '.site-menu-toggle'],
  ['home', '/', '.site-menu-toggle'],
];
const server = await startServer({ env: { DEMO: 'true' } });
// The demo comes after the start.
for (const [, path] of stops)
  while (!(await fetch(server.url + path)).ok) await new Promise((done) => setTimeout(done, 500));
const browser = await startBrowser();
const visitor = new Client(server.url);
/** Has something in the cart. */
const customer = new Client(server.url);
await customer.form('/shop/cart/update', { product_template_id: '8', add_qty: '1' });
try {
  console.log('| page | script before rest, KB | in all | blocked, ms | LCP, ms | INP, ms | shift | console |');
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const stop of stops) {
    const rounds: Felt[] = [];
    for (let round = 0; round < 2; round++)
      rounds.push(await visit(browser, server.url, stop[0] === 'cart' ? customer : visitor, stop));
    const mid = (name: keyof Felt, digits = 0) => median(rounds.map((felt) => felt[name])).toFixed(digits);
    console.log(
      `| ${stop[0]} | ${mid('before', 1)} | ${mid('scripts', 1)} | ${mid('blocked')} | ${mid('lcp')} | ${mid('inp')} | ${mid('shift', 3)} | ${mid('console')} |`,
    );
  }
} finally {
  await browser.close();
  await server.remove();
}
