import { keepEarly } from './early.ts';
import { pageData } from './page-data.ts';
import type { Fills } from './react/slot.ts';

/**
 * On every page. Wakes islands when they are wanted, and loads the behaviours of elements that are there; a page with neither loads nothing more.
 */
type End = () => void;
type Ending = Promise<End | null>;
type Component = import('react').ComponentType<Record<string, unknown>>;

const { behaviours, sheets = [] } = pageData();
/** What lives on elements, by script, with how it ends. */
const lives = new Map<Element, Map<string, Ending>>();
/** Islands that are looked after, with how those that are awake end. */
const islands = new Map<HTMLElement, End | null>();

/** Names are put together so that the bundler leaves them to the import map. */
const load = (name: string): Promise<Record<string, unknown>> => import(name);
const loadDefault = async (name: string): Promise<unknown> => (await load(name)).default;

async function wake(island: HTMLElement): Promise<void> {
  const { src = '', slots = '' } = island.dataset;
  if ('awake' in island.dataset) return;
  island.dataset.awake = 'loading';
  try {
    const [face, { mountIsland }, component, ...fills] = await Promise.all([
      load('@pergola/core') as Promise<typeof import('./browser.ts')>,
      load('@pergola/islands') as Promise<typeof import('./islands.ts')>,
      loadDefault(src),
      ...slots.split(' ').filter(Boolean).map(loadDefault),
    ]);
    await face.ready;
    const end = await mountIsland(island, component as Component, fills as Fills[]);
    island.dataset.awake = 'ready';
    islands.set(island, () => {
      end();
      delete island.dataset.awake;
    });
  } catch (error) {
    console.error(error);
  }
}

function schedule(island: HTMLElement): void {
  const { wake: how, media = '' } = island.dataset;
  if (how === 'media' && !matchMedia(media).matches) {
    matchMedia(media).addEventListener('change', () => schedule(island), { once: true });
    return;
  }
  if (how === 'return') {
    // Once somebody who looked elsewhere comes back to the page.
    document.addEventListener('visibilitychange', () => document.hidden || wake(island));
    return;
  }
  let isWanted = false;
  const now = (): void => {
    if (isWanted) return;
    isWanted = true;
    void wake(island).then(doAgain);
  };
  // Whoever comes near wants it now.
  for (const sign of SIGNS) island.addEventListener(sign, now, { capture: true, passive: true });
  const doAgain = keepEarly(island);
  if (how === 'visible') whenVisible(island, now);
  else if (how === 'idle') whenIdle(now);
  // Who was there before this script gives no further sign.
  else if (how !== 'touch' || island.matches(':hover,:focus-within')) now();
}

/** Signs of interest, a button that is pressed among them. */
const SIGNS = ['pointerover', 'focusin', 'touchstart', 'click'] as const;

/** Once the page has come to rest. */
function whenIdle(then: () => void): void {
  const idle = (): unknown => (window.requestIdleCallback ?? setTimeout)(then);
  if (document.readyState === 'complete') idle();
  else addEventListener('load', idle);
}

function whenVisible(island: HTMLElement, then: () => void): void {
  const boxes = boxesOf(island);
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      then();
    },
    { rootMargin: '200px' },
  );
  for (const box of boxes.length > 0 ? boxes : boxAround(island)) observer.observe(box);
}

const displayOf = (element: Element): string => getComputedStyle(element).display;

/** The boxes that an element is shown as: its own, or those of its children where it has none (`display: contents`, as islands and their content). */
function boxesOf(element: Element): Element[] {
  const display = displayOf(element);
  if (display === 'none') return [];
  return display === 'contents' ? [...element.children].flatMap(boxesOf) : [element];
}

/** The nearest box that an element lies in: an island that shows nothing yet is wanted once its place is in sight. */
function boxAround({ parentElement: parent }: Element): Element[] {
  if (!parent) return [];
  return displayOf(parent) === 'contents' ? boxAround(parent) : [parent];
}

/** Style sheets that behaviours brought, settled once they are there or have failed: what comes into the page before would move when they come. */
const styles = new Map<string, Promise<unknown>>();

function addStyle(href: string): Promise<unknown> {
  const style =
    styles.get(href) ??
    new Promise((done) => {
      const link = document.createElement('link');
      document.head.append(Object.assign(link, { rel: 'stylesheet', href, onload: done, onerror: done }));
    });
  styles.set(href, style);
  return style;
}

async function enliven(element: HTMLElement, script: string, style: string | null): Promise<End | null> {
  const styled = style && addStyle(style);
  const doAgain = keepEarly(element);
  try {
    const mount = (await loadDefault(script)) as (element: HTMLElement) => undefined | (() => void);
    await styled;
    return element.isConnected ? (mount(element) ?? null) : null;
  } catch (error) {
    console.error(error);
    return null;
  } finally {
    doAgain();
  }
}

/** What is being edited holds still: its behaviours are ended, and live again afterwards. */
function isStill(element: Element): boolean {
  return element.closest('[data-editing]') !== null;
}

function look(): void {
  lookForIslands();
  for (const [selector, script, style] of behaviours) {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      if (isStill(element)) continue;
      const own = lives.get(element) ?? new Map<string, Ending>();
      lives.set(element, own);
      if (!own.has(script)) own.set(script, enliven(element, script, style));
    }
  }
  for (const [element, own] of lives) {
    if (element.isConnected && !isStill(element)) continue;
    lives.delete(element);
    for (const end of own.values()) void end.then((stop) => stop?.());
  }
}

function lookForIslands(): void {
  for (const island of document.querySelectorAll<HTMLElement>('pergola-island')) {
    if (islands.has(island)) continue;
    islands.set(island, null);
    schedule(island);
  }
  for (const [island, end] of islands) {
    if (island.isConnected) continue;
    islands.delete(island);
    end?.();
  }
}

const begin = (): void => {
  // The style sheets of other kinds of pages, so that the next page waits for itself alone; not for those who save data. Some browsers know no links of
  // `rel="prefetch"`. One that this page has lies in the browser's memory, which would forget it for what is fetched.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  const fetchStyle = (href: string) => document.querySelector(`[href="${href}"]`) || fetch(href).catch(Boolean);
  if (!connection?.saveData) whenIdle(() => sheets.map(fetchStyle));
  look();
  let frame = 0;
  new MutationObserver(() => {
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      look();
    });
  }).observe(document.documentElement, {
    childList: true,
    subtree: true,
    attributeFilter: ['data-editing'],
  });
};

// A page that the browser makes ready before it is wanted does nothing until somebody sees it: it counts no view, and opens no line to the server.
if ((document as { prerendering?: boolean }).prerendering)
  document.addEventListener('prerenderingchange', () => requestAnimationFrame(() => setTimeout(begin)));
// In a task of its own: this script runs in the one in which browsers end their reading and lay the page out for the first time.
else setTimeout(begin);
