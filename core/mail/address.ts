import { domainToASCII, domainToUnicode } from 'node:url';

/**
 * The address as mail servers know it: without surrounding space, an international domain in ASCII. `info@münchen.example` becomes
 * `info@xn--mnchen-3ya.example`. Whether it's an address at all is for `isEmailAddress` to say.
 */
export function asciiAddress(text: string): string {
  const address = text.trim();
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // Nothing but letters, digits, dots and hyphens: the converter would drop a path or port.
  if (at < 0 || !/[^ -~]/.test(domain) || !/^[\p{L}\p{M}\p{N}.\u3002-]+$/u.test(domain)) return address;
  return `${address.slice(0, at + 1)}${domainToASCII(domain) || domain}`;
}

/**
 * The form in which addresses are compared: the same for all ways to write one, however its letters are capitalised and its domain encoded. Keep what
 * somebody typed for showing it, and this for finding it.
 */
export function emailKey(text: string): string {
  return asciiAddress(text.normalize('NFKC')).toLowerCase();
}

/** The ways an address with an international domain is kept in records, for searches that ignore case; the address itself if its domain is ASCII. */
export function emailSpellings(text: string): string[] {
  const key = emailKey(text);
  const at = key.lastIndexOf('@');
  return [...new Set([key, `${key.slice(0, at + 1)}${domainToUnicode(key.slice(at + 1)) || key.slice(at + 1)}`])];
}

/** Whether a text is one plain e-mail address that mail can be sent to: no lists, comments, quotes or line breaks, 254 characters at most. */
export function isEmailAddress(text: string): boolean {
  const address = text === text.trim() ? asciiAddress(text) : text;
  if (address.length > 254 || !/^[\x21-\x7e]+$/.test(address)) return false;
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const host = address.slice(at + 1);
  return (
    at > 0 &&
    local.length <= 64 &&
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local) &&
    /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/.test(host)
  );
}
