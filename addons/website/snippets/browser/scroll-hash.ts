const key = /(?:^#|&)scrollTop=(\d+)/;

/** Scroll position in a hash such as `#scrollTop=420`, or null. */
export function scrollTopOf(hash: string): number | null {
  const position = key.exec(hash)?.[1];
  return position === undefined ? null : Number(position);
}

/** Hash with the scroll position; keeps its other parts. */
export function withScrollTop(hash: string, top: number): string {
  const otherParts = hash
    .replace(/^#/, '')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('scrollTop='));
  return `#${[...otherParts, `scrollTop=${Math.round(top)}`].join('&')}`;
}

/** Address without the parameters that open the editor or the “Look” panel. */
export function asVisitor(address: string): string {
  const url = new URL(address);
  for (const name of ['enable_editor', 'look']) url.searchParams.delete(name);
  return url.href;
}

/** Reloads the page without the editor and keeps its scroll position. */
export function reloadPage(): void {
  const address = new URL(asVisitor(location.href));
  address.hash = withScrollTop(location.hash, window.scrollY);
  history.replaceState(history.state, '', address);
  location.reload();
}
