import { emailKey, readableAddress } from 'pergola';

/**
 * Normalises an address for storing and comparing: in lower case, with a readable international domain (`info@münchen.example` for
 * `Info@XN--MNCHEN-3YA.example`).
 */
export function addressKey(text: string): string {
  return readableAddress(emailKey(text));
}
