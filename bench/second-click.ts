import { setTimeout as sleep } from 'node:timers/promises';
import { type Chromium, evaluate, inBlankPage, startChromium } from './chromium.ts';
import { median, startServer } from './harness.ts';
import { slowLine } from './slow-line.ts';
import { timesSlowed } from './slowed.ts';

/** Navigation from one page to the next through a link on it. */
interface Step {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

const question = '/forum/help-1/question/which-climbing-rose-grows-on-a-north-facing-pergola-1';
const event = '/event/functional-webinar-3/register';
const steps: readonly Step[] = [
  { name: 'home to shop', from: '/', to: '/shop' },
  { name: 'shop to product', from: '/shop', to: '/shop/product/watering-can-8' },
  { name: 'product to events', from: '/shop/product/watering-can-8', to: '/event' },
  { name: 'events to event', from: '/event', to: event },
  { name: 'event to forum', from: event, to: '/forum' },
  { name: 'forum to question', from: '/forum/help-1', to: question },
];

/** How a user clicks a link, with milliseconds until they release the button. */
const ways = { 'after a rest on the link': 600, 'at once': 90 } as const;

/** Runs in the page: scrolls the link to the middle of the window and returns its position. */
function place(to: string): { x: number; y: number } | null {
  const link = Array.from(document.querySelectorAll<HTMLElement>(`a[href="${to}"]`)).find((candidate) =>
    candidate.checkVisibility(),
  );
  if (!link) return null;
  link.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = link.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Runs in the page: largest contentful paint, counted from the activation of a prerendered page. */
async function painted(): Promise<{ path: string; lcp: number; origin: string }> {
  const [entry] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & {
    activationStart: number;
    deliveryType: string;
  })[];
  const last = await new Promise<number>((done) => {
    new PerformanceObserver((list) => done(list.getEntries().at(-1)?.startTime ?? 0)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    });
  });
  const ready = entry?.activationStart ?? 0;
  const origin = ready > 0 ? 'made ready' : entry?.deliveryType ? 'fetched' : 'asked for';
  return { path: location.pathname, lcp: Math.max(0, last - ready), origin };
}

async function measure(
  chromium: Chromium,
  { base, slowed }: { base: string; slowed: number },
  { from, to }: Step,
  restMs: number,
) {
  const { send } = chromium;
  const { browserContextId } = await send('Target.createBrowserContext');
  const target = { url: 'about:blank', browserContextId, width: 1280, height: 740, forTab: true };
  const { targetId } = await send('Target.createTarget', target);
  const pages: string[] = [];
  // Includes prerendered pages.
  chromium.onEvent(({ method, params, session }) => {
    if (method !== 'Target.attachedToTarget' || session === '') return;
    const page: string = params.sessionId;
    pages.push(page);
    void send('Emulation.setCPUThrottlingRate', { rate: slowed }, page).catch(() => {});
    void send('Runtime.runIfWaitingForDebugger', {}, page).catch(() => {});
  });
  const tab = String((await send('Target.attachToTarget', { targetId, flatten: true })).sessionId);
  await send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, tab);
  const [page = ''] = pages;
  await send('Page.navigate', { url: base + from }, page);
  await sleep(6000);
  const position = await evaluate<ReturnType<typeof place>>(chromium, `(${place})(${JSON.stringify(to)})`, page);
  if (!position) throw new Error(`${from} has no link to ${to}.`);
  const mouse = (type: string, more = {}): Promise<unknown> =>
    send('Input.dispatchMouseEvent', { type, ...position, button: 'left', clickCount: 1, ...more }, page);
  await sleep(300);
  await mouse('mouseMoved', { button: 'none' });
  await sleep(restMs);
  await mouse('mousePressed');
  await sleep(80);
  // The page may be replaced before the call returns.
  void mouse('mouseReleased').catch(() => {});
  await sleep(4000);
  for (const candidate of pages.toReversed()) {
    const paint = await evaluate<Awaited<ReturnType<typeof painted>>>(chromium, `(${painted})()`, candidate).catch(
      () => null,
    );
    if (!paint?.path.startsWith(to)) continue;
    await send('Target.disposeBrowserContext', { browserContextId });
    return paint;
  }
  throw new Error(`${from} did not lead to ${to}.`);
}

/** Step names from the command line (`second-click.ts 'home to shop'`); all by default. */
const stepNames = process.argv.slice(2);
const server = await startServer({ env: { DEMO: 'true' } });
while (!(await fetch(server.url + question)).ok) await sleep(500);
const line = await slowLine(new URL(server.url), { latency: 150, down: 1_600_000 / 8, up: 750_000 / 8 });
const chromium = await startChromium();
try {
  const slowed = await timesSlowed((work) => inBlankPage(chromium, work));
  console.log(
    `| from page to page | ${Object.keys(ways)
      .map((way) => `${way}, LCP in ms`)
      .join(' | ')} |`,
  );
  console.log('| --- | --- | --- |');
  for (const step of steps.filter(({ name }) => stepNames.length === 0 || stepNames.includes(name))) {
    const cells: string[] = [];
    for (const restMs of Object.values(ways)) {
      const rounds = [];
      for (let round = 0; round < 3; round++)
        rounds.push(await measure(chromium, { base: line.url, slowed }, step, restMs));
      const lcp = median(rounds.map((round) => round.lcp)).toFixed(0);
      cells.push(`${lcp} (${[...new Set(rounds.map(({ origin }) => origin))].join(', ')})`);
    }
    console.log(`| ${step.name} | ${cells.join(' | ')} |`);
  }
} finally {
  await chromium.stop();
  line.close();
  await server.remove();
}
