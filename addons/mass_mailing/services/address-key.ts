import { emailKey, readableAddress } from 'pergola';

/**
 * The form in which addresses of readers are kept and compared: in small letters, an international domain as people write it, however it was given
 * (`info@münchen.example` for `Info@XN--MNCHEN-3YA.example`).
 */
export function addressKey(text: string): string {
  return readableAddress(emailKey(text));
}
