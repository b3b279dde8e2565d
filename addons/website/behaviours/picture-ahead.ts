/** Milliseconds after which a pointer rests: a little more than browsers wait before they fetch a page ahead, so that it is fetched once. */
const REST = 230;

/**
 * Where a pointer rests on a link to a page that browsers may only fetch ahead, not make ready: its main picture is fetched, too, in the size which that page
 * will show. Not for those who save data, nor where browsers fetch no pages ahead.
 */
export default function pictureAhead(link: HTMLAnchorElement): (() => void) | undefined {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (connection?.saveData || !HTMLScriptElement.supports?.('speculationrules')) return;
  let soon: ReturnType<typeof setTimeout> | undefined;
  const watched = new AbortController();
  const { signal } = watched;
  const look = async (): Promise<void> => {
    watched.abort();
    const page = await (await fetch(link.href, { cache: 'force-cache' })).text();
    const picture = new DOMParser().parseFromString(page, 'text/html').querySelector('img[fetchpriority=high]');
    // A picture is fetched once it belongs to a page that is seen.
    if (picture) document.adoptNode(picture);
  };
  const rest = ({ pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse') soon = setTimeout(() => void look().catch(Boolean), REST);
  };
  signal.addEventListener('abort', () => clearTimeout(soon));
  link.addEventListener('pointerenter', rest, { signal });
  link.addEventListener('pointerleave', () => clearTimeout(soon), { signal });
  return () => watched.abort();
}
