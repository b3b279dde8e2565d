import { electronicFormatIBAN, friendlyFormatIBAN, isValidBIC, isValidIBAN } from 'ibantools';
import type { Minor } from 'pergola';

/** Returns the IBAN in an account's text, without spaces, or null if it isn't an IBAN. */
function ibanOf(account: string | null): string | null {
  const iban = electronicFormatIBAN(account ?? '');
  return iban && isValidIBAN(iban) ? iban : null;
}

export function isIban(account: string | null): boolean {
  return ibanOf(account) !== null;
}

/** Formats an account for reading: an IBAN in groups of four, anything else unchanged. */
export function readableAccount(account: string): string {
  const iban = ibanOf(account);
  return (iban && friendlyFormatIBAN(iban)) || account.trim();
}

/** Whether a text is a bank account: an IBAN, or digits for countries without IBANs. */
export function isBankAccount(text: string): boolean {
  return ibanOf(text) !== null || /^\d[\d\s/.-]{3,33}$/.test(text.trim());
}

/** Returns a BIC without spaces, in capitals, or null if it is invalid. */
export function bicOf(text: string | null): string | null {
  const bic = (text ?? '').replace(/\s/g, '').toUpperCase();
  return isValidBIC(bic) ? bic : null;
}

/** A requested transfer. */
export interface TransferRequest {
  readonly owner: string;
  readonly account: string | null;
  readonly bic: string | null;
  readonly reference: string;
  readonly amount: Minor;
  /** ISO code. */
  readonly currency: string;
}

/** Maximum lengths of the elements of {@link epcText}, and maximum amount in cents. */
const limits = { owner: 70, reference: 140, amount: 99_999_999_999 } as const;

/**
 * Returns the text of a QR code that fills in a transfer in banking apps. Follows EPC069-12 of the European Payments Council, version 2,
 * for euros to an IBAN; null for anything else.
 */
export function epcText({ owner, account, bic, reference, amount, currency }: TransferRequest): string | null {
  const iban = ibanOf(account);
  if (iban === null || currency !== 'EUR' || amount <= 0 || amount > limits.amount) return null;
  const cents = String(amount % 100).padStart(2, '0');
  return [
    'BCD',
    '002',
    // UTF-8
    '1',
    'SCT',
    bicOf(bic) ?? '',
    owner.slice(0, limits.owner),
    iban,
    `EUR${Math.trunc(amount / 100)}.${cents}`,
    // Neither purpose nor structured reference.
    '',
    '',
    reference.slice(0, limits.reference),
  ].join('\n');
}
