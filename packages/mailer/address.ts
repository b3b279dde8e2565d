import { domainToASCII, domainToUnicode } from 'node:url';
import { InvalidInput } from '@pergola/core';

/**
 * Converts an address for mail servers: an international domain becomes ASCII (`info@xn--mnchen-3ya.example`). Pages, records and documents
 * show it as typed. All other text is returned unchanged.
 */
export function wireAddress(email: string): string {
  const atIndex = email.lastIndexOf('@');
  const host = email.slice(atIndex + 1);
  // Only letters, digits, hyphens and dots: domainToASCII() would drop line breaks and decode escapes.
  if (atIndex < 1 || !/[^\x21-\x7e]/.test(host) || !/^[\p{L}\p{M}\p{N}.\u3002-]+$/u.test(host)) return email;
  const ascii = domainToASCII(host);
  return ascii === '' ? email : `${email.slice(0, atIndex)}@${ascii}`;
}

/**
 * Converts an address for display: browsers send international domains in ASCII. The inverse of `wireAddress`; all other text is returned
 * unchanged.
 */
export function readableAddress(email: string): string {
  const atIndex = email.lastIndexOf('@');
  const readable = `${email.slice(0, atIndex)}@${domainToUnicode(email.slice(atIndex + 1))}`;
  return atIndex > 0 && readable !== email && wireAddress(readable) === email.toLowerCase() ? readable : email;
}

/**
 * Normalised form for comparing addresses: the same for all spellings, regardless of case and domain encoding. Store the address as typed
 * for display, and this for lookups.
 */
export function emailKey(text: string): string {
  return wireAddress(text.normalize('NFKC').trim()).toLowerCase();
}

/**
 * Spellings in which an address with an international domain may be stored, for case-insensitive searches; just the address itself if its
 * domain is ASCII.
 */
export function emailSpellings(text: string): string[] {
  const key = emailKey(text);
  const atIndex = key.lastIndexOf('@');
  return [
    ...new Set([
      key,
      `${key.slice(0, atIndex + 1)}${domainToUnicode(key.slice(atIndex + 1)) || key.slice(atIndex + 1)}`,
    ]),
  ];
}

/**
 * Whether a text is a single plain email address that can receive mail: no lists, comments, quotes or line breaks, 254 characters at most.
 * The domain may be international (`info@münchen.example`); the part before the @ may not, since few mail servers accept it.
 */
export function isEmailAddress(text: string): boolean {
  const plain = wireAddress(text);
  if (plain.length > 254 || !/^[\x21-\x7e]+$/.test(plain)) return false;
  const atIndex = plain.lastIndexOf('@');
  const local = plain.slice(0, atIndex);
  const host = plain.slice(atIndex + 1);
  return (
    atIndex > 0 &&
    local.length <= 64 &&
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local) &&
    /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/.test(host)
  );
}

/**
 * Validates a typed address and explains the problem if it is invalid.
 *
 * @param field name of the form field, for its error
 * @throws InvalidInput with `code` unless {@link isEmailAddress}
 */
export function requireEmailAddress(email: string, { code, field = 'email' }: { code: string; field?: string }): void {
  if (isEmailAddress(email)) return;
  const message = faultOf(email);
  throw new InvalidInput(message, { code, fields: { [field]: message } });
}

/** Marks a text for translators. */
const t = (text: string): string => text;

function faultOf(email: string): string {
  const atIndex = email.lastIndexOf('@');
  if (atIndex < 1 || atIndex === email.length - 1) return t('Enter an address with an @.');
  const local = email.slice(0, atIndex);
  if (/[^ -~]/.test(local) && /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u.test(local))
    return t('Use only unaccented Latin letters before the @.');
  return t('Enter a valid email address.');
}
