import { type AddressField, MAX_TOKEN, type PostalAddress } from '@pergola/sale';
import { type Ctx, type Id, InvalidInput, readableAddress, z } from 'pergola';
import { ShopOrder } from '../../models/sale-order.ts';
import { t } from '../../texts.ts';
import { followVisitor } from '../cart/begin-cart.ts';
import { addressBody, checkedAddress, maybeId, text } from './address-fields.ts';
import { hasGoods, isGift } from './gift.ts';
import { OwnAddresses } from './own-addresses.ts';

/** Fields sent by the address form. Extensions of the order handle additional ones. */
export const addressForm = z.looseObject({
  ...addressBody.shape,
  email: text,
  /** The company; the field name comes from the original. */
  street: text,
  shipping_id: z
    .string()
    .regex(/^-?\d{1,9}$/)
    .catch('0')
    .default('0')
    .transform(Number),
  shipping_name: text,
  shipping_phone: text,
  shipping_street: text,
  shipping_zip: text,
  shipping_city: text,
  shipping_state_id: maybeId,
  shipping_country_id: maybeId,
  shipping_states_of: maybeId,
  note: z.string().trim().max(1000).default(''),
  /** Version of the order the customer agrees to, if this form places it. */
  version: z.string().max(MAX_TOKEN).default(''),
});
export type AddressForm = z.infer<typeof addressForm>;

/** Required fields. */
const billingRequired: readonly AddressField[] = ['name', 'email', 'phone', 'street2', 'city', 'country_id'];
/** Required fields if nothing is paid or shipped. */
const giftRequired: readonly AddressField[] = ['name', 'email'];
const shippingRequired: readonly AddressField[] = ['name', 'phone', 'street', 'city', 'country_id'];

/**
 * Saves the address form to the caller's cart. Validates it on the server regardless of the browser's checks; changes no contact.
 *
 * @throws InvalidInput with a message for each invalid field
 */
export async function takeAddressForm(ctx: Ctx, order: Id, form: AddressForm): Promise<void> {
  const billing: PostalAddress = {
    name: form.name,
    company: form.street || null,
    email: readableAddress(form.email),
    phone: form.phone,
    street2: form.street2,
    zip: form.zip || null,
    city: form.city,
    state_id: form.state_id,
    country_id: form.country_id,
    vat: form.vat || null,
  };
  const system = ctx.sudo(); // The cart is the caller's own.
  const required = (await isGift(system, order)) ? giftRequired : billingRequired;
  const errors: Record<string, string> = await checkedAddress(ctx, billing, required, form.states_of);
  // Orders without goods have no delivery address; it would affect their taxes.
  const shipping = (await hasGoods(system, order)) ? await shippingOf(ctx, form, errors) : null;
  if (Object.keys(errors).length > 0) {
    throw new InvalidInput('Check the highlighted fields.', { code: 'website_sale.bad_address', fields: errors });
  }
  const orders = system.model(ShopOrder);
  await claim(ctx, order);
  await followVisitor(ctx, order);
  await orders.setAddress(order, { billing: plain(billing), shipping });
  await orders.write(order, { customer_note: form.note || null });
  if (form.shipping_id === -1 && shipping) await ctx.get(OwnAddresses).keep(shipping);
  await orders.checkoutSubmitted(order, form);
}

/** Moves the form's street to the first address line used on letters. */
function plain({ street2, ...rest }: PostalAddress): PostalAddress {
  return { ...rest, street: street2 ?? null, street2: null };
}

/** Returns the delivery address, or null if it is the same. Adds invalid fields to the errors. */
async function shippingOf(ctx: Ctx, form: AddressForm, errors: Record<string, string>): Promise<PostalAddress | null> {
  if (form.shipping_id === 0) return null;
  if (form.shipping_id > 0) {
    const savedAddress = await ctx.get(OwnAddresses).delivery(form.shipping_id);
    if (savedAddress) return savedAddress;
    errors.shipping_id = t(ctx, 'Choose one of your addresses.');
    return null;
  }
  if (form.shipping_id !== -1) {
    errors.shipping_id = t(ctx, 'Choose one of your addresses.');
    return null;
  }
  const shipping: PostalAddress = {
    name: form.shipping_name,
    phone: form.shipping_phone,
    street: form.shipping_street,
    zip: form.shipping_zip || null,
    city: form.shipping_city,
    state_id: form.shipping_state_id,
    country_id: form.shipping_country_id,
  };
  const wrong = await checkedAddress(ctx, shipping, shippingRequired, form.shipping_states_of);
  for (const [name, message] of Object.entries(wrong)) errors[`shipping_${name}`] = message;
  return shipping;
}

/** Reassigns a cart that a customer left behind after signing out to the person who places it. */
async function claim(ctx: Ctx, order: Id): Promise<void> {
  const orders = ctx.sudo().model(ShopOrder); // The cart is the caller's own.
  const { partner_id } = await orders.get(order, { select: { partner_id: true } });
  const partner = ctx.user.id === null ? null : ctx.user.partnerId;
  if (partner_id !== partner) await orders.write(order, { partner_id: partner });
}
