/**
 * On every page. Wakes islands when they are wanted, and loads the modules of elements that are there; a page with neither loads nothing more.
 */
interface PageData {
  readonly elements: readonly (readonly [selector: string, script: string, style: string | null])[];
}

const page = JSON.parse(document.getElementById('pergola-page')?.textContent ?? '{"elements":[]}') as PageData;
const lives = new Map<Element, Map<string, Promise<(() => void) | null>>>();
const seen = new WeakSet<Element>();

/** Names are put together so that the bundler leaves them to the import map. */
const load = (name: string): Promise<Record<string, unknown>> => import(name);

async function wake(island: HTMLElement): Promise<void> {
  const root = island.querySelector<HTMLElement>(':scope > pergola-root');
  const data = island.querySelector<HTMLScriptElement>(':scope > script[type="application/json"]');
  const { src = '', fresh, prefix } = island.dataset;
  if (!root || !data || 'awake' in island.dataset) return;
  island.dataset.awake = '';
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
    const element = createElement(
      module.default as import('react').ComponentType,
      JSON.parse(data.textContent ?? '{}') as object,
    );
    const options = { identifierPrefix: prefix, onUncaughtError: (error: unknown) => console.error(error) };
    if (fresh === undefined) hydrateRoot(root, element, options);
    else {
      createRoot(root, options).render(element);
      island.removeAttribute('data-fresh');
    }
  } catch (error) {
    // What the server rendered stays and can be read.
    console.error(error);
  }
}

function schedule(island: HTMLElement): void {
  const { wake: how, media = '' } = island.dataset;
  const now = (): void => void wake(island);
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
  // The island itself has no box; what it holds has.
  const target = island.querySelector('pergola-root')?.firstElementChild ?? island;
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

/** Wakes at the first sign of interest. A click that comes before it is alive is made again after. */
function whenTouched(island: HTMLElement): void {
  const signs = ['pointerover', 'focusin', 'touchstart', 'click'] as const;
  let clicked: HTMLElement | null = null;
  const begin = (event: Event): void => {
    if (event.type === 'click') {
      event.preventDefault();
      clicked = event.target as HTMLElement;
    }
    if ('awake' in island.dataset) return;
    void wake(island).then(() =>
      requestAnimationFrame(() => {
        for (const sign of signs) island.removeEventListener(sign, begin);
        clicked?.click();
      }),
    );
  };
  for (const sign of signs) island.addEventListener(sign, begin, sign === 'touchstart' ? { passive: true } : false);
}

async function enliven(element: HTMLElement, script: string, style: string | null): Promise<(() => void) | null> {
  if (style && !document.querySelector(`link[href="${style}"]`)) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: style }));
  }
  try {
    const { default: mount } = (await load(script)) as { default: (element: HTMLElement) => undefined | (() => void) };
    return element.isConnected ? (mount(element) ?? null) : null;
  } catch (error) {
    console.error(error);
    return null;
  }
}

/** What is being edited holds still: its elements are ended, and live again afterwards. */
function isStill(element: Element): boolean {
  return element.closest('[data-editing]') !== null;
}

function look(): void {
  for (const island of document.querySelectorAll<HTMLElement>('pergola-island')) {
    if (seen.has(island)) continue;
    seen.add(island);
    schedule(island);
  }
  for (const [selector, script, style] of page.elements) {
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      if (isStill(element)) continue;
      const own = lives.get(element) ?? new Map<string, Promise<(() => void) | null>>();
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
