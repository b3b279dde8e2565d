import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { Client } from '../tools/testing/index.ts';
import { type Chromium, evaluate, inBlankPage, startChromium } from './chromium.ts';
import { median, startServer } from './harness.ts';
import { timesSlowed } from './slowed.ts';

/** Measurements of one page on a slow phone. Times in milliseconds, sizes in KB gzipped. */
interface Measurements {
  /** Scripts requested before React, which starts loading once the page is idle. */
  readonly beforeReact: number;
  readonly scripts: number;
  /** All bytes transferred until the page is idle. */
  readonly weight: number;
  readonly blocked: number;
  readonly lcp: number;
  readonly inp: number;
  readonly shift: number;
  /** Console messages, except Chromium's own notices. */
  readonly console: number;
}

/** A page, the user who opens it, and the element they press. */
interface Stop {
  readonly name: string;
  readonly path: string;
  readonly client: Client;
  readonly press?: string;
}

/** A slow mobile connection. */
const LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const SIZE = { width: 360, height: 740 };

/** Runs in the page when it starts loading, and records measurements in `window.seen`. */
async function observe(): Promise<void> {
  const seen = { blocked: 0, lcp: 0, inp: 0, shift: 0 };
  Object.assign(window, { seen });
  const [painted] = performance.getEntriesByName('first-contentful-paint');
  const on = (
    type: string,
    see: (entry: PerformanceEntry & { value?: number; hadRecentInput?: boolean }) => void,
    more = {},
  ): void =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true, ...more });
  on('longtask', ({ startTime, duration }) => {
    // Counts blocking time only after the first paint, when there is something to press.
    const blockedTime = Math.min(duration, startTime + duration - (painted?.startTime ?? Number.POSITIVE_INFINITY));
    seen.blocked += Math.max(0, blockedTime - 50);
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
  await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Runs in the page: centre of the element to press. */
function middleOf(selector: string): { x: number; y: number } | null {
  const element = Array.from(document.querySelectorAll(selector)).find((candidate) => candidate.checkVisibility());
  element?.scrollIntoView({ block: 'center', behavior: 'instant' });
  const box = element?.getBoundingClientRect();
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;
}

async function visit(
  chromium: Chromium,
  { base, slowed }: { base: string; slowed: number },
  { path, client, press = '.site-menu-toggle' }: Stop,
): Promise<Measurements> {
  const { browserContextId } = await chromium.send('Target.createBrowserContext');
  const blank = { url: 'about:blank', browserContextId, ...SIZE };
  const { targetId } = await chromium.send('Target.createTarget', blank);
  const session = String((await chromium.send('Target.attachToTarget', { targetId, flatten: true })).sessionId);
  const send = (method: string, params = {}) => chromium.send(method, params, session);
  const openRequests = new Set<string>();
  const scripts = new Map<string, { readonly at: number; readonly isReact: boolean; size: number }>();
  let bytes = 0;
  let lines = 0;
  let changed = Date.now();
  const sizes: Promise<void>[] = [];
  chromium.onEvent(({ method, params, session: eventSession }) => {
    if (eventSession !== session) return;
    if (method === 'Runtime.consoleAPICalled' || (method === 'Log.entryAdded' && params.entry.level !== 'info'))
      lines++;
    const { requestId: id, type, response, encodedDataLength } = params;
    // A page's event stream stays open.
    if (method === 'Network.requestWillBeSent' && type !== 'EventSource') openRequests.add(id);
    else if (method === 'Network.responseReceived' && type === 'Script' && response.status === 200)
      scripts.set(id, { at: Date.now(), isReact: /\/react-dom-client/.test(response.url), size: 0 });
    else if (method === 'Network.loadingFailed') openRequests.delete(id);
    else if (method === 'Network.loadingFinished') {
      openRequests.delete(id);
      bytes += encodedDataLength;
      const script = scripts.get(id);
      if (script) sizes.push(sizeOf(id).then((size) => void Object.assign(script, { size })));
    } else return;
    changed = Date.now();
  });
  const sizeOf = async (requestId: string): Promise<number> => {
    const { body } = await send('Network.getResponseBody', { requestId });
    return gzipSync(String(body), { level: 9 }).byteLength / 1024;
  };
  await send('Network.enable');
  await send('Log.enable');
  await send('Network.setCookies', { cookies: cookiesFor(client, base) });
  await send('Network.emulateNetworkConditions', LINE);
  await send('Emulation.setDeviceMetricsOverride', { ...SIZE, deviceScaleFactor: 1, mobile: false });
  await send('Emulation.setCPUThrottlingRate', { rate: slowed });
  await send('Page.navigate', { url: base + path });
  do await sleep(100);
  while (openRequests.size > 0 || Date.now() - changed < 500);
  await sleep(1500);
  const weight = bytes / 1024;
  await evaluate(chromium, `(${observe})()`, session);
  const position = await evaluate<ReturnType<typeof middleOf>>(
    chromium,
    `(${middleOf})(${JSON.stringify(press)})`,
    session,
  );
  if (!position) throw new Error(`${path} has no element ${press}.`);
  for (const type of ['mousePressed', 'mouseReleased'])
    await send('Input.dispatchMouseEvent', { type, ...position, button: 'left', clickCount: 1 });
  await sleep(1000);
  const seen = await evaluate<Omit<Measurements, 'beforeReact' | 'weight'>>(chromium, 'window.seen', session);
  await Promise.all(sizes);
  // Also reports messages logged before it was enabled.
  await send('Runtime.enable');
  await chromium.send('Target.disposeBrowserContext', { browserContextId });
  const loaded = [...scripts.values()];
  const react = loaded.find(({ isReact }) => isReact)?.at ?? Number.POSITIVE_INFINITY;
  const sum = (scriptList: typeof loaded) => scriptList.reduce((total, { size }) => total + size, 0);
  // React's own files are requested together, shortly before.
  const beforeReact = sum(loaded.filter(({ at: loadedAt }) => loadedAt < react - 1000));
  return { ...seen, beforeReact, weight, scripts: sum(loaded), console: lines };
}

/** Cookies of a client in the form Chromium expects. */
function cookiesFor({ cookieHeader }: Client, url: string): readonly { name: string; value: string; url: string }[] {
  return cookieHeader
    .split('; ')
    .filter(Boolean)
    .map((pair) => {
      const separator = pair.indexOf('=');
      return { name: pair.slice(0, separator), value: pair.slice(separator + 1), url };
    });
}

/** Signs in as a demo user. */
async function signIn(server: string, login: string): Promise<Client> {
  const client = new Client(server);
  await client.get('/web/login');
  await client.form('/web/login', { login, password: login });
  return client;
}

/** A customer with a product in the cart, ready to pay. */
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
// Demo data is loaded after startup, the forum questions last.
while (!(await fetch(server.url + question)).ok) await new Promise((resolve) => setTimeout(resolve, 500));
const visitor = new Client(server.url);
const customer = await order(server.url);
// Reads the site in French.
const member = await signIn(server.url, 'portal');
const [ticket = ''] = /\/fr\/event\/ticket\/\d+\/[\w-]+(?=")/.exec((await member.get('/fr/my/tickets')).text) ?? [];
const stops: readonly Stop[] = [
  { name: 'home', path: '/', client: visitor },
  { name: 'page', path: '/about-us', client: visitor },
  { name: 'contact', path: '/contactus', client: visitor },
  { name: 'search', path: '/search?q=garden', client: visitor },
  { name: 'not found', path: '/nothing-here', client: visitor },
  { name: 'accessibility', path: '/accessibility', client: visitor },
  { name: 'sign in', path: '/web/login', client: visitor },
  { name: 'sign up', path: '/web/signup', client: visitor },
  { name: 'shop', path: '/shop', client: visitor },
  { name: 'product', path: product, client: visitor },
  { name: 'cart', path: '/shop/cart', client: customer },
  { name: 'checkout', path: '/shop/checkout', client: customer },
  { name: 'payment', path: '/shop/payment', client: customer },
  { name: 'events', path: '/event', client: visitor },
  { name: 'event', path: '/event/functional-webinar-3/register', client: visitor },
  { name: 'ticket', path: ticket, client: member },
  { name: 'calendar', path: '/calendar', client: visitor },
  { name: 'forum', path: '/forum/help-1', client: visitor },
  { name: 'question', path: question, client: visitor, press: '.forum-vote button' },
  { name: 'ask', path: '/fr/forum/entraide-1/ask', client: member },
  { name: 'profile', path: '/fr/forum/entraide-1/user/3', client: member },
  { name: 'journal', path: '/journal', client: visitor },
  { name: 'club', path: '/club', client: visitor },
  { name: 'match week', path: '/matchs', client: visitor },
  { name: 'match', path: '/matchs/1060', client: visitor },
  { name: 'team', path: '/teams/as-val-fleuri-seniors-1', client: visitor },
  { name: 'wall', path: '/wall/1', client: visitor },
];
/** Page names from the command line; all pages by default. */
const pageNames = process.argv.slice(2);
const chromium = await startChromium();
try {
  const slowed = await timesSlowed((work) => inBlankPage(chromium, work));
  console.log(
    '| page | script before rest, KB | in all | all that comes, KB | blocked, ms | LCP, ms | INP, ms | shift | console |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const stop of stops.filter(({ name }) => pageNames.length === 0 || pageNames.includes(name))) {
    const { location } = await stop.client.get(stop.path);
    if (location !== null) throw new Error(`${stop.name}: ${stop.path} redirects to ${location}.`);
    const rounds: Measurements[] = [];
    // The first visit may have to generate image sizes.
    for (let round = 0; round < 3; round++) rounds.push(await visit(chromium, { base: server.url, slowed }, stop));
    const medianOf = (name: keyof Measurements, digits = 0) =>
      median(rounds.map((round) => round[name])).toFixed(digits);
    console.log(
      `| ${stop.name} | ${medianOf('beforeReact', 1)} | ${medianOf('scripts', 1)} | ${medianOf('weight')} | ${medianOf('blocked')} | ${medianOf('lcp')} | ${medianOf('inp')} | ${medianOf('shift', 3)} | ${medianOf('console')} |`,
    );
  }
} finally {
  await chromium.stop();
  await server.remove();
}
