import {
  createSignatureFunctionForTransform,
  injectIntoGlobalHook,
  performReactRefresh,
  register,
} from 'react-refresh/runtime';

/*
 * Development only: replaces saved style sheets and islands in place, reloads the page for other changes while keeping the scroll position,
 * and shows problems and errors.
 */

// Must run before React is loaded, which looks for the hook at that time.
injectIntoGlobalHook(window);
Object.assign(globalThis, { pergolaRefresh: { register, createSignature: createSignatureFunctionForTransform } });

/** Message from `Development`. */
interface GenerationMessage {
  readonly generation: string;
  /** The previous generation, from which `swap` leads to this one. */
  readonly since: string;
  readonly swap: 'styles' | 'islands' | 'page';
}

const source = new EventSource('/_dev/events');
let shownGeneration: string | null = null;
let swapping = Promise.resolve();
source.addEventListener('generation', ({ data }: MessageEvent<string>) => {
  const { generation, since, swap } = JSON.parse(data) as GenerationMessage;
  const previous = shownGeneration;
  shownGeneration = generation;
  if (previous === null || previous === generation) return;
  if (swap === 'page' || previous !== since) location.reload();
  else
    swapping = swapping.then(swapInPlace).catch((error: unknown) => {
      console.warn('Reloading the page to show the change.', error);
      location.reload();
    });
});

/**
 * Replaces style sheets and islands on the page and keeps everything else, including typed text.
 *
 * @throws Error if the page has to be reloaded to show the change
 */
async function swapInPlace(): Promise<void> {
  const response = await fetch(location.href, { headers: { Accept: 'text/html' } });
  if (!response.ok) throw new Error(`${location.href} returned status ${response.status}.`);
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  const importMap = (page: Document): string => page.querySelector('script[type="importmap"]')?.textContent ?? '';
  // Modules shared by several islands can't be replaced in place.
  if (importMap(next) !== importMap(document)) throw new Error('A module shared by islands has changed.');
  swapStyles(next);
  await swapIslands(next);
}

/** Path of a built file without its content hash. */
const nameOf = (address: string): string => address.replace(/\.[\w-]+(\.\w+)$/, '$1');

function swapStyles(next: Document): void {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  for (const link of next.querySelectorAll('link[rel="stylesheet"]')) {
    const address = link.getAttribute('href') ?? '';
    if (links.some((old) => old.getAttribute('href') === address)) continue;
    const old = links.find((candidate) => nameOf(candidate.getAttribute('href') ?? '') === nameOf(address));
    const fresh = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address });
    // The old one stays until the new one is loaded, to avoid a flash of unstyled content.
    fresh.addEventListener('load', () => old?.remove());
    if (old) old.after(fresh);
    else document.head.append(fresh);
  }
}

async function swapIslands(next: Document): Promise<void> {
  const addresses = new Map<string, string>();
  for (const { dataset } of next.querySelectorAll<HTMLElement>('pergola-island'))
    addresses.set(nameOf(dataset.src ?? ''), dataset.src ?? '');
  const changed = [...document.querySelectorAll<HTMLElement>('pergola-island')].filter(({ dataset }) => {
    const address = addresses.get(nameOf(dataset.src ?? ''));
    return address !== undefined && address !== dataset.src;
  });
  const awake = new Set<string>();
  for (const { dataset } of changed) {
    dataset.src = addresses.get(nameOf(dataset.src ?? '')) ?? '';
    if ('awake' in dataset) awake.add(dataset.src);
  }
  // Components register themselves when loaded.
  await Promise.all([...awake].map((address) => import(address)));
  if (awake.size > 0 && performReactRefresh() === null) throw new Error('No component of the island was replaced.');
}

source.addEventListener('problems', ({ data }: MessageEvent<string>) => {
  console.warn(`The saved change can't be served.\n${data}`);
  // An error page may already show these problems.
  if (!document.querySelector('[data-developer]')?.textContent.includes(data)) showProblems(data);
});

// Dispatched by the script that hydrates islands.
document.addEventListener('pergola:error', (event) => void showError((event as CustomEvent<unknown>).detail));
window.addEventListener('error', ({ error }) => void showError(error));

/** Shows an island's error with the paths of source files. */
async function showError(error: unknown): Promise<void> {
  const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  const response = await fetch('/_dev/source-places', { method: 'POST', body: stack }).catch(() => null);
  showProblems(response?.ok ? await response.text() : stack);
}

/**
 * Shows problems in an overlay, since the page itself is still the previous version. Styles are set individually because the site's CSP
 * allows no style element.
 */
function showProblems(text: string): void {
  document.querySelector('[data-developer-problems]')?.remove();
  const box = document.createElement('aside');
  box.setAttribute('aria-label', 'Problems');
  box.dataset.developerProblems = '';
  box.style.cssText =
    'position:fixed;inset:auto 0 0;z-index:2147483647;max-height:60vh;overflow:auto;padding:1rem;background:#2b0d0d;color:#ffe3e3;border-top:4px solid #ff6b6b;color-scheme:dark';
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.style.cssText = 'float:right;font:inherit';
  close.addEventListener('click', () => box.remove());
  const message = document.createElement('pre');
  message.textContent = text;
  message.style.cssText = 'margin:0;white-space:pre-wrap;font:.875rem/1.5 ui-monospace,monospace';
  box.append(close, message);
  document.body.append(box);
}
