import { checkVAT, countries } from 'jsvat-next';

/** A tax number whose country is known. */
export interface TaxNumber {
  /** Two letters before the number as the EU register VIES takes them: EL for Greece, XI for Northern Ireland. */
  readonly prefix: string;
  /** With its prefix, without spaces: DE136695976. */
  readonly number: string;
}

/** Members of the European Union by prefix of their VAT numbers. */
const members: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);
/** Prefixes whose numbers have known check digits. Northern Ireland and Great Britain use the same ones. */
const checked: ReadonlySet<string> = new Set([...members, 'XI', 'GB']);

/** The prefix of VAT numbers of a country, by its ISO code. */
function prefixOf(country: string): string {
  return country === 'GR' ? 'EL' : country;
}

/** The ISO code of the country that gives out numbers with a prefix. */
function countryOf(prefix: string): string {
  return prefix === 'EL' ? 'GR' : prefix === 'XI' ? 'GB' : prefix;
}

/**
 * Reads a VAT number of the EU or United Kingdom: form and check digits are right. The prefix may be missing when the country is known.
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
 * Whether customers may give a text as their tax number. Numbers of the EU and the United Kingdom need the right form and check digits; of other
 * countries only the form is known: eight to sixteen letters and digits, at least half of them digits.
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

/** ISO code of the country whose rules a number has to follow: its prefix decides, else the invoice address. */
export function countryOfNumber(text: string, country: string | null): string | null {
  const prefixed = withPrefix(plainNumber(text));
  return prefixed ? countryOf(prefixed.prefix) : country;
}

/** Where a sale is taxed: who sells, and where the invoice goes; ISO codes, null when unknown. */
export interface TaxPlace {
  readonly seller: string | null;
  readonly country: string | null;
  readonly zip: string | null;
}

/**
 * Returns the number under which the customer owes the VAT (reverse charge), or null: it has to be valid, of another EU member state than the
 * seller's, and of the country of the invoice address. Northern Ireland counts as a member for goods.
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

/** A number that begins with a known prefix; Greek numbers are often written with the ISO code. */
function withPrefix(plain: string): TaxNumber | null {
  const prefix = prefixOf(plain.slice(0, 2));
  return checked.has(prefix) ? { prefix, number: prefix + plain.slice(2) } : null;
}

/** Check digits of zeros fit, but no state gives out a number of zeros. The suffixes of Dutch and Swedish numbers only count branches. */
function isValid({ number }: TaxNumber): boolean {
  const baseNumber = number.replace(/^(NL.*)B\d\d$|^(SE.*)\d\d$/, '$1$2');
  return /[1-9]/.test(baseNumber) && checkVAT(number, countries).isValid;
}
