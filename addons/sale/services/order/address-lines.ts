/** An address as orders keep it, relations with their names. */
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

/** An address as lines of text, the way it stands on a letter; what is empty has no line. */
function addressLines(address: OrderAddress): string[] {
  const { name, company, street, street2, zip, city, state, country } = address;
  const place = [zip, city].filter(Boolean).join(' ');
  return filledLines([name, company, street, street2, place, state?.name, country?.name]);
}

/** What of an order its invoice address is. */
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

/** What of an order the address is that it is sent to, where that is another one. */
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

/** Who pays for an order, as lines of text. */
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

/** Where an order goes, as lines of text; null when that is the address of who pays. */
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

/** The lines that say something. */
export function filledLines(lines: readonly (string | null | undefined)[]): string[] {
  return lines.filter((text): text is string => Boolean(text));
}
