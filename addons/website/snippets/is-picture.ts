const TYPES = ['png', 'jpg', 'jpeg', 'gif'] as const;

const byName = new RegExp(`\\.(?:${TYPES.join('|')})$`, 'i');
const byRoute = /^\/(?:web|website)\/(?:image|binary\/image|content)(?:\/|$)/;

/** Returns whether a URL is an image for the lightbox: by extension, or an image route of this site. */
export function isPicture(address: string, base: string): boolean {
  const url = URL.parse(address, base);
  return (
    url !== null && (byName.test(url.pathname) || (url.origin === new URL(base).origin && byRoute.test(url.pathname)))
  );
}
