import { type AddressField, checkAddress, type PostalAddress } from '#addons/sale';
import { type Ctx, z } from '#core';
import { needsState } from './places.ts';

/** A line of text of an address form. */
export const text = z.string().trim().max(255).default('');
/** A choice of an address form; null while nothing is chosen. */
export const maybeId = z
  .string()
  .regex(/^(\d{1,9})?$/)
  .catch('')
  .default('')
  .transform((value) => (value === '' ? null : Number(value)));

/** What every address form sends. */
export const addressBody = z.object({
  name: text,
  phone: text,
  street2: text,
  zip: text,
  city: text,
  state_id: maybeId,
  country_id: maybeId,
  vat: text,
});
export type AddressBody = z.infer<typeof addressBody>;

/** What is wrong with an address, by field; the state too, where the country's post needs it. */
export async function checkedAddress(
  ctx: Ctx,
  address: PostalAddress,
  required: readonly AddressField[],
): Promise<Record<string, string>> {
  const errors: Record<string, string> = { ...(await checkAddress(ctx, address, required)) };
  if (!errors.state_id && !address.state_id && (await needsState(ctx, address.country_id ?? null)))
    errors.state_id = ctx.t('Please choose a state.');
  return errors;
}
