const key = /(?:^#|&)scrollTop=(\d+)/;

/** The position an address remembers, or null: `#scrollTop=420`. */
export function scrollTopOf(hash: string): number | null {
  const found = key.exec(hash)?.[1];
  return found === undefined ? null : Number(found);
}

/** The hash with the position in it; what else the hash says stays. */
export function withScrollTop(hash: string, top: number): string {
  const rest = hash
    .replace(/^#/, '')
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('scrollTop='));
  return `#${[...rest, `scrollTop=${Math.round(top)}`].join('&')}`;
}

/** The address without what opens the editor or the panel “Look”. */
export function asVisitor(address: string): string {
  const url = new URL(address);
  for (const name of ['enable_editor', 'look']) url.searchParams.delete(name);
  return url.href;
}

/** Loads the page again where it is scrolled, without the editor. */
export function reloadPage(): void {
  const address = new URL(asVisitor(location.href));
  address.hash = withScrollTop(location.hash, window.scrollY);
  history.replaceState(history.state, '', address);
  location.reload();
}
