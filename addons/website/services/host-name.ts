import { domainToASCII } from 'node:url';

/**
 * Host name as it appears in requests (`www.exämple.org` → `www.xn--exmple-cua.org`), from user input: scheme, port and path are removed.
 * Null if it isn't a valid host name.
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
