import { keepEarly } from './early.ts';
import { pageData } from './page-data.ts';

/**
 * On every page. Wakes islands when they are wanted, and loads the modules of elements that are there; a page with neither loads nothing more.
 */
type End = () => void;
type Ending = Promise<End | null>;

const { elements } = pageData();
/** What lives on elements, by script, with how it ends. */
const lives = new Map<Element, Map<string, Ending>>();
/** Islands that are looked after, with how those that are awake end. */
const islands = new Map<HTMLElement, End | null>();

/** Names are put together so that the bundler leaves them to the import map. */
const load = (name: string): Promise<Record<string, unknown>> => import(name);

async function wake(island: HTMLElement): Promise<void> {
  const root = island.querySelector<HTMLElement>(':scope > pergola-root');
  const data = island.querySelector<HTMLScriptElement>(':scope > script[type="application/json"]');
  const { src = '', fresh, prefix } = island.dataset;
  if (!root || !data || 'awake' in island.dataset) return;
  island.dataset.awake = '';
  const before = root.cloneNode(true).childNodes;
  const asRendered = (): void => root.replaceChildren(...[...before].map((node) => node.cloneNode(true)));
  try {
    const [face, react, client, module] = await Promise.all([
      load('@pergola/core'),
      load('react'),
      load('react-dom/client'),
      load(src),
    ]);
    await face.ready;
    const { createElement } = react as typeof import('react');
    const { createRoot, hydrateRoot } = client as typeof import('react-dom/client');
    const props = JSON.parse(data.textContent ?? '{}') as object;
    const element = createElement(module.default as import('react').ComponentType, props);
    // React takes away what it cannot render: what the server rendered comes back and can be read.
    const onUncaughtError = (error: unknown): void => {
      console.error(error);
      queueMicrotask(asRendered);
    };
    const options = { identifierPrefix: prefix, onUncaughtError };
    const made = fresh === undefined ? hydrateRoot(root, element, options) : createRoot(root, options);
    if (fresh !== undefined) made.render(element);
    island.removeAttribute('data-fresh');
    islands.set(island, () => {
      made.unmount();
      asRendered();
      // It may come back: an editor undoes what it did.
      if (fresh !== undefined) island.dataset.fresh = '';
      delete island.dataset.awake;
    });
  } catch (error) {
    console.error(error);
  }
}

function schedule(island: HTMLElement): void {
  const { wake: how, media = '' } = island.dataset;
  const now = (): void => {
    const doAgain = keepEarly(island);
    void wake(island).then(doAgain);
  };
  if (how === 'visible') whenVisible(island, now);
  else if (how === 'idle') (window.requestIdleCallback ?? setTimeout)(now);
  else if (how === 'touch') whenTouched(island);
  else if (how === 'media') {
    const query = matchMedia(media);
    if (query.matches) now();
    else query.addEventListener('change', now, { once: true });
  } else now();
}

function whenVisible(island: HTMLElement, then: () => void): void {
  // The island itself has no box, unless one is kept for it; what it holds has.
  const root = island.querySelector('pergola-root');
  const target = root?.firstElementChild ?? ('reserve' in island.dataset ? island : root);
  if (!target) return;
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      then();
    },
    { rootMargin: '200px' },
  );
  observer.observe(target);
}

/** Wakes at the first sign of interest, a button that is pressed among them. */
function whenTouched(island: HTMLElement): void {
  const signs = ['pointerover', 'focusin', 'touchstart', 'click'] as const;
  const begin = (): void => {
    for (const sign of signs) island.removeEventListener(sign, begin, true);
    void wake(island).then(doAgain);
  };
  for (const sign of signs) island.addEventListener(sign, begin, { capture: true, passive: true });
  const doAgain = keepEarly(island);
}

async function enliven(element: HTMLElement, script: string, style: string | null): Promise<End | null> {
  if (style && !document.querySelector(`link[href="${style}"]`)) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: style }));
  }
  const doAgain = keepEarly(element);
  try {
    const { default: mount } = (await load(script)) as { default: (element: HTMLElement) => undefined | (() => void) };
    return element.isConnected ? (mount(element) ?? null) : null;
  } catch (error) {
    console.error(error);
    return null;
  } finally {
    doAgain();
  }
}

/** What is being edited holds still: its elements are ended, and live again afterwards. */
function isStill(element: Element): boolean {
  return element.closest('[data-editing]') !== null;
}

function look(): void {
  lookForIslands();
  for (const [selector, script, style] of elements) {
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

look();
let waiting = false;
new MutationObserver(() => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    look();
  });
}).observe(document.documentElement, {
  childList: true,
  subtree: true,
  attributes: true,
  attributeFilter: ['data-editing'],
});
