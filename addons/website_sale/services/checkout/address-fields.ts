import { type AddressField, checkAddress, type PostalAddress } from '@pergola/sale';
import { type Ctx, type Id, z } from 'pergola';
import { t } from '../../texts.ts';
import { needsState, stateChoices } from './places.ts';

/** A text line of an address form. */
export const text = z.string().trim().max(255).default('');
/** An optional choice of an address form; null if nothing is chosen. */
export const maybeId = z
  .string()
  .regex(/^(\d{1,9})?$/)
  .catch('')
  .default('')
  .transform((value) => (value === '' ? null : Number(value)));

/** Fields sent by every address form. */
export const addressBody = z.object({
  name: text,
  phone: text,
  street2: text,
  zip: text,
  city: text,
  state_id: maybeId,
  country_id: maybeId,
  /** Country whose states a form without scripts listed; null with scripts. */
  states_of: maybeId,
  vat: text,
});
export type AddressBody = z.infer<typeof addressBody>;

/**
 * Returns the errors of an address by field, including a missing state in countries whose post requires one. A form that listed the states
 * of another country (`statesOf`) is shown once more with the right ones.
 */
export async function checkedAddress(
  ctx: Ctx,
  address: PostalAddress,
  required: readonly AddressField[],
  statesOf: Id | null,
): Promise<Record<string, string>> {
  const errors: Record<string, string> = { ...(await checkAddress(ctx, address, required)) };
  const { country_id: country = null, state_id: state } = address;
  if (errors.state_id || state || country === null) return errors;
  if (await needsState(ctx, country)) errors.state_id = t(ctx, 'Choose a state or province.');
  else if (statesOf !== null && statesOf !== country && (await stateChoices(ctx, [country])).length > 1)
    errors.state_id = t(ctx, 'Choose a state or province, or leave this empty.');
  return errors;
}
