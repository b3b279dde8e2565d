import { domainToASCII, domainToUnicode } from 'node:url';
import { InvalidInput } from '@pergola/core';

/**
 * The address as mail servers read it: an international domain in ASCII (`info@xn--mnchen-3ya.example`). Pages, records and documents show what was typed.
 * Anything else is returned as it is.
 */
export function wireAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  // Letters, digits, hyphens and dots alone: domainToASCII() would drop line breaks and decode escapes.
  if (at < 1 || !/[^\x21-\x7e]/.test(host) || !/^[\p{L}\p{M}\p{N}.\u3002-]+$/u.test(host)) return email;
  const ascii = domainToASCII(host);
  return ascii === '' ? email : `${email.slice(0, at)}@${ascii}`;
}

/** The address as people write it: browsers send international domains in ASCII. The inverse of `wireAddress`; anything else is returned as it is. */
export function readableAddress(email: string): string {
  const at = email.lastIndexOf('@');
  const readable = `${email.slice(0, at)}@${domainToUnicode(email.slice(at + 1))}`;
  return at > 0 && readable !== email && wireAddress(readable) === email.toLowerCase() ? readable : email;
}

/**
 * The form in which addresses are compared: the same for all ways to write one, however its letters are capitalised and its domain encoded. Keep what
 * a person typed for showing it, and this for finding it.
 */
export function emailKey(text: string): string {
  return wireAddress(text.normalize('NFKC').trim()).toLowerCase();
}

/** The ways an address with an international domain is kept in records, for searches that ignore case; the address itself if its domain is ASCII. */
export function emailSpellings(text: string): string[] {
  const key = emailKey(text);
  const at = key.lastIndexOf('@');
  return [...new Set([key, `${key.slice(0, at + 1)}${domainToUnicode(key.slice(at + 1)) || key.slice(at + 1)}`])];
}

/**
 * Whether a text is one plain email address that mail can be sent to: no lists, comments, quotes or line breaks, 254 characters at most. The domain may
 * be international (`info@münchen.example`); the part before the @ may not, since few mail servers take it.
 */
export function isEmailAddress(text: string): boolean {
  const plain = wireAddress(text);
  if (plain.length > 254 || !/^[\x21-\x7e]+$/.test(plain)) return false;
  const at = plain.lastIndexOf('@');
  const local = plain.slice(0, at);
  const host = plain.slice(at + 1);
  return (
    at > 0 &&
    local.length <= 64 &&
    /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(local) &&
    /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/.test(host)
  );
}

/**
 * Checks an address that a person typed, and says what is wrong with it.
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
  const at = email.lastIndexOf('@');
  if (at < 1 || at === email.length - 1) return t('Please write an address with an @ in it.');
  const local = email.slice(0, at);
  if (/[^ -~]/.test(local) && /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+$/u.test(local))
    return t('Use only unaccented Latin letters before the @.');
  return t('This is not a valid e-mail address.');
}
