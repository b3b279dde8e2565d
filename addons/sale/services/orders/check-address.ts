import { Country, CountryState } from '@pergola/base';
import { type Ctx, type Id, isEmailAddress } from 'pergola';
import { singleLine } from 'pergola/kernel';
import { t } from '../../texts.ts';
import { countryOfNumber, isTaxNumber } from '../tax/tax-number.ts';
import { codeOf } from '../tax/tax-numbers.ts';
import type { PostalAddress } from './addresses.ts';

const texts = ['name', 'company', 'email', 'phone', 'street', 'street2', 'city', 'zip', 'vat'] as const;

/** Minimum number of digits; no country has shorter phone numbers. */
const MIN_DIGITS = 4;

/** Address fields that may be required. */
export type AddressField = (typeof texts)[number] | 'country_id' | 'state_id';

/**
 * Returns the errors of an address by field, in the context's language; empty if it is valid. Checks required fields, email address, phone
 * and tax number; that the country exists and the state belongs to it; and the postal code in countries that use them.
 */
export async function checkAddress(
  ctx: Ctx,
  address: PostalAddress,
  required: readonly AddressField[],
): Promise<Partial<Record<AddressField, string>>> {
  const errors: Partial<Record<AddressField, string>> = {};
  const missing = missingTexts(ctx);
  for (const name of required) if (isEmpty(address[name])) errors[name] = missing[name];
  for (const name of texts) {
    const value = address[name];
    if (typeof value !== 'string') continue;
    if (value.length > 255) errors[name] = t(ctx, 'This is too long.');
  }
  if (address.email && !errors.email && !isEmailAddress(address.email))
    errors.email = t(ctx, 'Enter a valid email address.');
  if (address.phone && !errors.phone && !isPhone(address.phone)) errors.phone = t(ctx, 'Enter a valid phone number.');
  else if (address.phone && !errors.phone && digitsOf(address.phone) < MIN_DIGITS)
    errors.phone = t(ctx, 'This phone number is too short.');
  if (address.vat && !errors.vat) {
    const fault = await taxNumberFault(ctx, address.vat, address.country_id ?? null);
    if (fault !== null) errors.vat = fault;
  }
  if (address.country_id) Object.assign(errors, await checkPlace(ctx, address));
  return errors;
}

/** Errors of required fields that are empty. */
function missingTexts(ctx: Ctx): Record<AddressField, string> {
  return {
    name: t(ctx, 'Enter a name.'),
    company: t(ctx, 'Enter a company name.'),
    email: t(ctx, 'Enter an email address.'),
    phone: t(ctx, 'Enter a phone number.'),
    street: t(ctx, 'Enter a street.'),
    street2: t(ctx, 'Enter a street.'),
    city: t(ctx, 'Enter a city.'),
    zip: t(ctx, 'Enter a postal code.'),
    vat: t(ctx, 'Enter a VAT number.'),
    country_id: t(ctx, 'Choose a country.'),
    state_id: t(ctx, 'Choose a state or province.'),
  };
}

/** Returns the error of a tax number on an invoice address in a country, or null. */
async function taxNumberFault(ctx: Ctx, vat: string, country: Id | null): Promise<string | null> {
  const code = await codeOf(ctx, country);
  if (isTaxNumber(vat, code)) return null;
  const [row] = await ctx
    .model(Country)
    .find([['code', '=', countryOfNumber(vat, code) ?? '']], { select: { name: true } });
  return row
    ? t(ctx, 'This VAT number isn’t valid for {country}.', { country: row.name })
    : t(ctx, 'Enter a valid VAT number.');
}

async function checkPlace(
  ctx: Ctx,
  { country_id, state_id, zip }: PostalAddress,
): Promise<Partial<Record<AddressField, string>>> {
  const [country] = country_id ? await ctx.model(Country).read([country_id], { select: { zip_required: true } }) : [];
  if (!country) return { country_id: t(ctx, 'Choose a country from the list.') };
  const errors: Partial<Record<AddressField, string>> = {};
  if (country.zip_required && isEmpty(zip)) errors.zip = missingTexts(ctx).zip;
  if (state_id) {
    const [state] = await ctx.model(CountryState).read([state_id], { select: { country_id: true } });
    if (state?.country_id !== country.id) errors.state_id = t(ctx, 'Choose a state in the selected country.');
  }
  return errors;
}

/** Whether a text is a phone number: digits with the usual separators. */
function isPhone(text: string): boolean {
  return /^[+(]?[\d\s()./-]+((ext\.?|x|#|poste)\s*\d+)?\s*$/i.test(text) && /\d/.test(text);
}

/** Counts the digits of the number itself, without an extension. */
function digitsOf(phone: string): number {
  return (phone.split(/[a-z#]/i)[0] ?? '').replace(/\D/g, '').length;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && singleLine(value).trim() === '');
}
