/** Pixels of the window that a share link opens. */
export const POPUP = { width: 600, height: 550 } as const;

/**
 * Links to share the page: `{url}` and `{title}` in their addresses stand for it, and they open in a small window. Nothing of the networks is
 * loaded before. A link of the class `share-copy` puts the page's address on the clipboard.
 */
export default function share(element: HTMLElement): () => void {
  const open = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
    if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.matches('.share-copy')) return void copy(event, link);
    const address = shareAddress(link.getAttribute('href') ?? '', location.href, document.title);
    if (!/^https?:/.test(address)) {
      link.href = address;
      return;
    }
    event.preventDefault();
    window.open(address, '_blank', `noopener,popup,width=${POPUP.width},height=${POPUP.height}`);
  };
  element.addEventListener('click', open);
  return () => element.removeEventListener('click', open);
}

/** The address with the page in it. Braces may have been written as `%7B…%7D` when the page was saved. */
export function shareAddress(pattern: string, page: string, title: string): string {
  const values: Readonly<Record<string, string>> = { url: page.replace(/#.*$/s, ''), title };
  return pattern.replace(/(?:\{|%7B)(url|title)(?:\}|%7D)/gi, (_, name: string) =>
    encodeURIComponent(values[name.toLowerCase()] ?? ''),
  );
}

async function copy(event: Event, link: HTMLAnchorElement): Promise<void> {
  event.preventDefault();
  const { notify, ready, t } = await import('#core/browser');
  await ready;
  try {
    await navigator.clipboard.writeText(link.href.replace(/#.*$/s, ''));
    notify(t('The address is copied.'));
  } catch {
    notify(t('The address could not be copied.'), 'alert');
  }
}
