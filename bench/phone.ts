import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { startBrowser, type TestBrowser } from '../tools/testing/browser.ts';
import { Client } from '../tools/testing/index.ts';
import { median, startServer } from './harness.ts';
import { timesSlowed } from './slowed.ts';

/** What a visitor feels of one page on a slow phone. Times in milliseconds, sizes in KB gzipped. */
interface Felt {
  /** Scripts that are asked for before React is: until the page has come to rest. */
  readonly before: number;
  readonly scripts: number;
  /** All that comes until the page has come to rest, as it is sent. */
  readonly weight: number;
  readonly blocked: number;
  readonly lcp: number;
  readonly inp: number;
  readonly shift: number;
  /** Lines of the console. */
  readonly console: number;
}

/** A page, who opens it, and what is pressed on it. */
interface Stop {
  readonly name: string;
  readonly path: string;
  readonly by: Client;
  readonly press?: string;
}

/** A slow connection. */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
/** Runs in the page: what its observers see is kept there. */
function observe(): void {
  const seen = { blocked: 0, lcp: 0, inp: 0, shift: 0 };
  Object.assign(window, { seen });
  const on = (
    type: string,
    see: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
    more = {},
  ): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true, ...more });
  on('longtask', ({ startTime, duration }) => {
    const [painted] = performance.getEntriesByName('first-contentful-paint');
    // What a task takes longer than is felt, once there is something to press.
    const felt = Math.min(duration, startTime + duration - (painted?.startTime ?? Number.POSITIVE_INFINITY));
    seen.blocked += Math.max(0, felt - 50);
  });
  on('largest-contentful-paint', ({ startTime }) => {
    seen.lcp = startTime;
  });
  on('layout-shift', ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) seen.shift += value;
  });
  on(
    'event',
    ({ duration }) => {
      seen.inp = Math.max(seen.inp, duration);
    },
    { durationThreshold: 16 },
  );
}

async function visit(
  browser: TestBrowser,
  { base, slowed }: { base: string; slowed: number },
  { path, by, press = '.site-menu-toggle' }: Stop,
): Promise<Felt> {
  const { page, close } = await browser.openPage({ baseUrl: base, client: by, width: 360, height: 740 });
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
  let bytes = 0;
  const devtools = await slow(page, slowed);
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(observe);
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.waitForTimeout(1500);
  const weight = bytes / 1024;
  await page.locator(press).first().click();
  await page.waitForTimeout(1000);
  const seen = await page.evaluate(() => (window as unknown as { seen: Omit<Felt, 'before' | 'weight'> }).seen);
  const loaded = await Promise.all(scripts);
  await close();
  const sum = (some: readonly (readonly [number, number])[]) => some.reduce((total, [, size]) => total + size, 0);
  // React's own files are asked for together.
  const before = sum(loaded.filter(([at]) => at < react - 1000));
  return { ...seen, before, weight, scripts: sum(loaded), console: lines };
}

async function slow(page: Page, rate: number): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
  return devtools;
}

/** Signs in whom the demo has. */
async function signIn(server: string, login: string): Promise<Client> {
  const client = new Client(server);
  await client.get('/web/login');
  await client.form('/web/login', { login, password: login });
  return client;
}

/** Somebody with something in the cart, as far as the page where one pays. */
async function order(server: string): Promise<Client> {
  const client = new Client(server);
  const [, product_id = ''] = /"variants":\[\[(\d+)/.exec((await client.get(product)).text) ?? [];
  await client.form('/shop/cart/update', { product_id, add_qty: '1' });
  const address = {
    name: 'Ada',
    email: 'ada@example.org',
    street: '1 Lane',
    city: 'Lyon',
    zip: '69000',
    phone: '0102030405',
  };
  const country = /<option value="(\d+)"[^>]*>\s*France/.exec((await client.get('/shop/checkout')).text)?.[1] ?? '';
  await client.form('/shop/confirm_order', { ...address, street2: '1 Lane', shipping_id: '0', country_id: country });
  return client;
}

const product = '/shop/product/watering-can-8';
const question = '/forum/help-1/question/which-climbing-rose-grows-on-a-north-facing-pergola-1';
const server = await startServer({ env: { DEMO: 'true' } });
// The demo comes after the start, its questions last.
while (!(await fetch(server.url + question)).ok) await new Promise((done) => setTimeout(done, 500));
const visitor = new Client(server.url);
const customer = await order(server.url);
// Reads the site in French.
const member = await signIn(server.url, 'portal');
const [ticket = ''] = /\/fr\/event\/ticket\/\d+\/[\w-]+(?=")/.exec((await member.get('/fr/my/tickets')).text) ?? [];
const stops: readonly Stop[] = [
  { name: 'home', path: '/', by: visitor },
  { name: 'page', path: '/about-us', by: visitor },
  { name: 'contact', path: '/contactus', by: visitor },
  { name: 'search', path: '/search?q=garden', by: visitor },
  { name: 'not found', path: '/nothing-here', by: visitor },
  { name: 'accessibility', path: '/accessibility', by: visitor },
  { name: 'sign in', path: '/web/login', by: visitor },
  { name: 'sign up', path: '/web/signup', by: visitor },
  { name: 'shop', path: '/shop', by: visitor },
  { name: 'product', path: product, by: visitor },
  { name: 'cart', path: '/shop/cart', by: customer },
  { name: 'checkout', path: '/shop/checkout', by: customer },
  { name: 'payment', path: '/shop/payment', by: customer },
  { name: 'events', path: '/event', by: visitor },
  { name: 'event', path: '/event/functional-webinar-3/register', by: visitor },
  { name: 'ticket', path: ticket, by: member },
  { name: 'calendar', path: '/calendar', by: visitor },
  { name: 'forum', path: '/forum/help-1', by: visitor },
  { name: 'question', path: question, by: visitor, press: '.forum-vote button' },
  { name: 'ask', path: '/fr/forum/entraide-1/ask', by: member },
  { name: 'profile', path: '/fr/forum/entraide-1/user/3', by: member },
  { name: 'journal', path: '/journal', by: visitor },
  { name: 'club', path: '/club', by: visitor },
  { name: 'match week', path: '/matchs', by: visitor },
  { name: 'match', path: '/matchs/1060', by: visitor },
  { name: 'team', path: '/teams/as-val-fleuri-seniors-1', by: visitor },
  { name: 'wall', path: '/wall/1', by: visitor },
];
/** Names of pages; all unless told. */
const wanted = process.argv.slice(2);
const browser = await startBrowser();
try {
  const { page: blank, close: closeBlank } = await browser.openPage({ baseUrl: server.url });
  const slowed = await timesSlowed((work) => blank.evaluate(work));
  await closeBlank();
  console.log(
    '| page | script before rest, KB | in all | all that comes, KB | blocked, ms | LCP, ms | INP, ms | shift | console |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const stop of stops.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const { location } = await stop.by.get(stop.path);
    if (location !== null) throw new Error(`${stop.name}: ${stop.path} leads to ${location}.`);
    const rounds: Felt[] = [];
    // In the first one pictures may be made.
    for (let round = 0; round < 3; round++) rounds.push(await visit(browser, { base: server.url, slowed }, stop));
    const mid = (name: keyof Felt, digits = 0) => median(rounds.map((felt) => felt[name])).toFixed(digits);
    console.log(
      `| ${stop.name} | ${mid('before', 1)} | ${mid('scripts', 1)} | ${mid('weight')} | ${mid('blocked')} | ${mid('lcp')} | ${mid('inp')} | ${mid('shift', 3)} | ${mid('console')} |`,
    );
  }
} finally {
  await browser.close();
  await server.remove();
}
