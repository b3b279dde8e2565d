import { domainToASCII } from 'node:url';

/**
 * A host name as requests carry it (`www.exämple.org` → `www.xn--exmple-cua.org`), from what people type or paste: an address's scheme, port and
 * path are dropped. Null for what is no host name.
 */
export function plainDomain(text: string): string | null {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d+$/, '');
  const ascii = domainToASCII(bare);
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(ascii) && !ascii.includes('..') && ascii.length <= 253 ? ascii : null;
}
