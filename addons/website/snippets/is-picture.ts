const TYPES = ['png', 'jpg', 'jpeg', 'gif'] as const;

const byName = new RegExp(`\\.(?:${TYPES.join('|')})$`, 'i');
const byRoute = /^\/(?:web|website)\/(?:image|binary\/image|content)(?:\/|$)/;

/** Whether an address is that of a picture the lightbox shows: by its ending, or one of this site's addresses for pictures. */
export function isPicture(address: string, base: string): boolean {
  const url = URL.parse(address, base);
  return (
    url !== null && (byName.test(url.pathname) || (url.origin === new URL(base).origin && byRoute.test(url.pathname)))
  );
}
