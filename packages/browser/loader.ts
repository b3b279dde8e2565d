import { keepEarly } from './early.ts';
import { pageData } from './page-data.ts';
import type { Fills } from './react/slot.ts';

/**
 * Runs on every page. Hydrates islands when needed and loads behaviours for the elements present; a page with neither loads nothing else.
 */
type End = () => void;
type Ending = Promise<End | null>;
type Component = import('react').ComponentType<Record<string, unknown>>;

const { behaviours, sheets = [] } = pageData();
/** Behaviours running on elements, by script, with their cleanup functions. */
const runningBehaviours = new Map<Element, Map<string, Ending>>();
/** Scheduled islands, with the unmount functions of hydrated ones. */
const islands = new Map<HTMLElement, End | null>();

/** Variables hide the module names from the bundler, so that the import map resolves them. */
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
  const { wake: trigger, media = '' } = island.dataset;
  if (trigger === 'media' && !matchMedia(media).matches) {
    matchMedia(media).addEventListener('change', () => schedule(island), { once: true });
    return;
  }
  if (trigger === 'return') {
    // Wakes the island when the visitor returns to the tab.
    document.addEventListener('visibilitychange', () => document.hidden || wake(island));
    return;
  }
  let isWanted = false;
  const now = (): void => {
    if (isWanted) return;
    isWanted = true;
    void wake(island).then(replay);
  };
  // Any sign of interest hydrates the island at once.
  for (const sign of SIGNS) island.addEventListener(sign, now, { capture: true, passive: true });
  const replay = keepEarly(island);
  if (trigger === 'visible') whenVisible(island, now);
  else if (trigger === 'idle') whenIdle(now);
  // The visitor may have been on the island already, in which case no further event follows.
  else if (trigger !== 'touch' || island.matches(':hover,:focus-within')) now();
}

/** Signs of interest, including a pressed button. */
const SIGNS = ['pointerover', 'focusin', 'touchstart', 'click'] as const;

/** Runs after the page has finished loading. */
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

/** Layout boxes of an element: itself, or its children if it has no box (`display: contents`, as islands and their content). */
function boxesOf(element: Element): Element[] {
  const display = displayOf(element);
  if (display === 'none') return [];
  return display === 'contents' ? [...element.children].flatMap(boxesOf) : [element];
}

/** Nearest ancestor with a layout box. An island that shows nothing yet is needed once its place is near the viewport. */
function boxAround({ parentElement: parent }: Element): Element[] {
  if (!parent) return [];
  return displayOf(parent) === 'contents' ? boxAround(parent) : [parent];
}

/** Style sheets of behaviours, settled once loaded or failed: behaviours wait for them so that their content doesn't shift. */
const styles = new Map<string, Promise<unknown>>();

function addStyle(href: string): Promise<unknown> {
  const style =
    styles.get(href) ??
    new Promise((resolve) => {
      const link = document.createElement('link');
      document.head.append(Object.assign(link, { rel: 'stylesheet', href, onload: resolve, onerror: resolve }));
    });
  styles.set(href, style);
  return style;
}

async function runBehaviour(element: HTMLElement, script: string, style: string | null): Promise<End | null> {
  const styled = style && addStyle(style);
  const replay = keepEarly(element);
  try {
    const mount = (await loadDefault(script)) as (element: HTMLElement) => undefined | (() => void);
    await styled;
    return element.isConnected ? (mount(element) ?? null) : null;
  } catch (error) {
    console.error(error);
    return null;
  } finally {
    replay();
  }
}

/** Elements being edited must not change: their behaviours stop, and restart after editing. */
function isBeingEdited(element: Element): boolean {
  return element.closest('[data-editing]') !== null;
}

function update(): void {
  updateIslands();
  for (const [selector, script, style] of behaviours) {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      if (isBeingEdited(element)) continue;
      const behaviourEnds = runningBehaviours.get(element) ?? new Map<string, Ending>();
      runningBehaviours.set(element, behaviourEnds);
      if (!behaviourEnds.has(script)) behaviourEnds.set(script, runBehaviour(element, script, style));
    }
  }
  for (const [element, behaviourEnds] of runningBehaviours) {
    if (element.isConnected && !isBeingEdited(element)) continue;
    runningBehaviours.delete(element);
    for (const end of behaviourEnds.values()) void end.then((stop) => stop?.());
  }
}

function updateIslands(): void {
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

const start = (): void => {
  // Prefetches style sheets of other kinds of pages, so that navigation waits only for the page, unless the visitor saves data. Uses fetch
  // because some browsers ignore `rel="prefetch"`. Skips sheets this page already uses: a fetch would evict them from the browser's memory
  // cache.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  const fetchStyle = (href: string) => document.querySelector(`[href="${href}"]`) || fetch(href).catch(Boolean);
  if (!connection?.saveData) whenIdle(() => sheets.map(fetchStyle));
  update();
  let frame = 0;
  new MutationObserver(() => {
    if (frame) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      update();
    });
  }).observe(document.documentElement, {
    childList: true,
    subtree: true,
    attributeFilter: ['data-editing'],
  });
};

// A prerendered page does nothing until the visitor opens it: it counts no view and opens no connection.
if ((document as { prerendering?: boolean }).prerendering)
  document.addEventListener('prerenderingchange', () => requestAnimationFrame(() => setTimeout(start)));
// In a separate task: this script runs in the task in which browsers finish parsing and lay out the page for the first time.
else setTimeout(start);
