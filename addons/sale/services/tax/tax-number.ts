import { checkVAT, countries } from 'jsvat-next';

/** A tax number of a known country. */
export interface TaxNumber {
  /** Two-letter prefix as used by the EU register VIES: EL for Greece, XI for Northern Ireland. */
  readonly prefix: string;
  /** Number with its prefix, without spaces: DE136695976. */
  readonly number: string;
}

/** Members of the European Union by VAT number prefix. */
const members: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);
/** Prefixes whose numbers have known check digits. Northern Ireland and Great Britain use the same ones. */
const checked: ReadonlySet<string> = new Set([...members, 'XI', 'GB']);

/** Returns the VAT number prefix of a country, by its ISO code. */
function prefixOf(country: string): string {
  return country === 'GR' ? 'EL' : country;
}

/** Returns the ISO code of the country that issues numbers with a prefix. */
function countryOf(prefix: string): string {
  return prefix === 'EL' ? 'GR' : prefix === 'XI' ? 'GB' : prefix;
}

/**
 * Parses a VAT number of the EU or United Kingdom with valid format and check digits. The prefix may be missing if the country is known.
 *
 * @param country ISO code of the invoice address, or null
 * @returns null for anything else, such as numbers of other countries
 */
export function readTaxNumber(text: string, country: string | null): TaxNumber | null {
  const plain = plainNumber(text);
  const prefixed = withPrefix(plain);
  if (prefixed && isValid(prefixed)) return prefixed;
  if (country === null || !checked.has(prefixOf(country))) return null;
  const prefix = prefixOf(country);
  const completed = { prefix, number: prefix + plain };
  return isValid(completed) ? completed : null;
}

/**
 * Whether a text is acceptable as a customer's tax number. Numbers of the EU and the United Kingdom need a valid format and check digits;
 * for other countries only the format is checked: eight to sixteen letters and digits, at least half of them digits.
 *
 * @param country ISO code of the invoice address, or null
 */
export function isTaxNumber(text: string, country: string | null): boolean {
  if (readTaxNumber(text, country)) return true;
  const plain = plainNumber(text);
  if (withPrefix(plain)) return false;
  if (country !== null && checked.has(prefixOf(country)) && !/^[A-Z]{2,3}\d/.test(plain)) return false;
  return /^[A-Z0-9]{8,16}$/.test(plain) && plain.replace(/\D/g, '').length * 2 >= plain.length;
}

/** Returns the ISO code of the country whose rules a number must follow: from its prefix, or else the invoice address. */
export function countryOfNumber(text: string, country: string | null): string | null {
  const prefixed = withPrefix(plainNumber(text));
  return prefixed ? countryOf(prefixed.prefix) : country;
}

/** Countries of the seller and the invoice address, as ISO codes; null if unknown. */
export interface TaxPlace {
  readonly seller: string | null;
  readonly country: string | null;
  readonly zip: string | null;
}

/**
 * Returns the number under which the customer owes the VAT (reverse charge), or null. It must be valid, belong to another EU member state
 * than the seller's, and to the country of the invoice address. Northern Ireland counts as a member for goods.
 */
export function reverseChargeNumber(text: string, { seller, country, zip }: TaxPlace): TaxNumber | null {
  const taxNumber = readTaxNumber(text, country);
  if (!taxNumber || seller === null || country === null) return null;
  const { prefix } = taxNumber;
  if (countryOf(prefix) !== country || countryOf(prefix) === seller) return null;
  if (prefix === 'XI') return /^BT/i.test(zip?.trim() ?? '') ? taxNumber : null;
  return members.has(prefix) ? taxNumber : null;
}

function plainNumber(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}\p{Cf}./]/gu, '');
}

/** Parses a number with a known prefix; Greek numbers are often written with the ISO code. */
function withPrefix(plain: string): TaxNumber | null {
  const prefix = prefixOf(plain.slice(0, 2));
  return checked.has(prefix) ? { prefix, number: prefix + plain.slice(2) } : null;
}

/** A number of zeros passes the check digits but is never issued. The suffixes of Dutch and Swedish numbers only count branches. */
function isValid({ number }: TaxNumber): boolean {
  const baseNumber = number.replace(/^(NL.*)B\d\d$|^(SE.*)\d\d$/, '$1$2');
  return /[1-9]/.test(baseNumber) && checkVAT(number, countries).isValid;
}
