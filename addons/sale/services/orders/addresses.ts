import type { FieldsOf, Id, Values } from 'pergola';
import type { SaleOrder } from '../../models/sale-order.ts';

/** An address as entered by a customer. */
export interface PostalAddress {
  readonly name: string;
  readonly company?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly street?: string | null;
  readonly street2?: string | null;
  readonly city?: string | null;
  readonly zip?: string | null;
  readonly state_id?: Id | null;
  readonly country_id?: Id | null;
  readonly vat?: string | null;
}
/** Invoice and shipping address of an order. */
export interface AddressInput {
  readonly billing: PostalAddress;
  /** Null if it is the same address. */
  readonly shipping?: PostalAddress | null;
}

/** Returns an address as fields of an order. */
export function addressFields(billing: PostalAddress, shipping: PostalAddress | null): Values<FieldsOf<SaleOrder>> {
  return {
    invoice_name: billing.name,
    invoice_company: billing.company ?? null,
    invoice_email: billing.email ?? null,
    invoice_phone: billing.phone ?? null,
    invoice_street: billing.street ?? null,
    invoice_street2: billing.street2 ?? null,
    invoice_zip: billing.zip ?? null,
    invoice_city: billing.city ?? null,
    invoice_state_id: billing.state_id ?? null,
    invoice_country_id: billing.country_id ?? null,
    invoice_vat: billing.vat ?? null,
    shipping_same: shipping === null,
    shipping_name: shipping?.name ?? null,
    shipping_company: shipping?.company ?? null,
    shipping_phone: shipping?.phone ?? null,
    shipping_street: shipping?.street ?? null,
    shipping_street2: shipping?.street2 ?? null,
    shipping_zip: shipping?.zip ?? null,
    shipping_city: shipping?.city ?? null,
    shipping_state_id: shipping?.state_id ?? null,
    shipping_country_id: shipping?.country_id ?? null,
  };
}

/** Address fields of an order, including the names of related records. */
interface OrderAddress {
  readonly name: string | null;
  readonly company?: string | null;
  readonly street: string | null;
  readonly street2: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly state: { readonly name: string | null } | null;
  readonly country: { readonly name: string | null } | null;
}

/** Formats an address as lines of text, as on a letter; leaves out empty lines. */
function addressLines(address: OrderAddress): string[] {
  const { name, company, street, street2, zip, city, state, country } = address;
  const cityLine = [zip, city].filter(Boolean).join(' ');
  return filledLines([name, company, street, street2, cityLine, state?.name, country?.name]);
}

/** Invoice address fields of an order. */
export const invoiceAddress = {
  invoice_name: true,
  invoice_company: true,
  invoice_street: true,
  invoice_street2: true,
  invoice_zip: true,
  invoice_city: true,
  invoice_state_id: { name: true },
  invoice_country_id: { name: true },
} as const;

/** Shipping address fields of an order, for shipping to a different address. */
export const shippingAddress = {
  shipping_same: true,
  shipping_name: true,
  shipping_company: true,
  shipping_street: true,
  shipping_street2: true,
  shipping_zip: true,
  shipping_city: true,
  shipping_state_id: { name: true },
  shipping_country_id: { name: true },
} as const;

type Named = { readonly name: string | null } | null;
type Read<Select> = {
  readonly [Field in keyof Select]: Select[Field] extends true
    ? Field extends 'shipping_same'
      ? boolean
      : string | null
    : Named;
};

/** Returns the invoice address of an order, as lines of text. */
export function invoiceLines(order: Read<typeof invoiceAddress>): string[] {
  return addressLines({
    name: order.invoice_name,
    company: order.invoice_company,
    street: order.invoice_street,
    street2: order.invoice_street2,
    zip: order.invoice_zip,
    city: order.invoice_city,
    state: order.invoice_state_id,
    country: order.invoice_country_id,
  });
}

/** Returns the shipping address of an order, as lines of text; null if it is the invoice address. */
export function shippingLines(order: Read<typeof shippingAddress>): string[] | null {
  if (order.shipping_same) return null;
  return addressLines({
    name: order.shipping_name,
    company: order.shipping_company,
    street: order.shipping_street,
    street2: order.shipping_street2,
    zip: order.shipping_zip,
    city: order.shipping_city,
    state: order.shipping_state_id,
    country: order.shipping_country_id,
  });
}

/** Drops empty lines. */
export function filledLines(lines: readonly (string | null | undefined)[]): string[] {
  return lines.filter((text): text is string => Boolean(text));
}
