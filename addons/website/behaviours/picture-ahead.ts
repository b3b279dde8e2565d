/** Milliseconds a pointer has to rest on a link: slightly more than browsers wait before prefetching, so the page is fetched only once. */
const REST = 230;

/**
 * Preloads the main image of a page when the pointer rests on a link that browsers may prefetch but not prerender, in the size that page
 * will use. Disabled in data-saver mode and in browsers without speculation rules.
 */
export default function pictureAhead(link: HTMLAnchorElement): (() => void) | undefined {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData || !HTMLScriptElement.supports?.('speculationrules')) return;
  let soon: ReturnType<typeof setTimeout> | undefined;
  const watched = new AbortController();
  const { signal } = watched;
  const preload = async (): Promise<void> => {
    watched.abort();
    const page = await (await fetch(link.href, { cache: 'force-cache' })).text();
    const picture = new DOMParser().parseFromString(page, 'text/html').querySelector('img[fetchpriority=high]');
    // Adopting the image into the current document starts its download.
    if (picture) document.adoptNode(picture);
  };
  const onEnter = ({ pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse') soon = setTimeout(() => void preload().catch(Boolean), REST);
  };
  signal.addEventListener('abort', () => clearTimeout(soon));
  link.addEventListener('pointerenter', onEnter, { signal });
  link.addEventListener('pointerleave', () => clearTimeout(soon), { signal });
  return () => watched.abort();
}
