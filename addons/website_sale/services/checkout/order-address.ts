import { addressLines, filledLines, SaleOrder } from '#addons/sale';
import type { Ctx, Id } from '#core';

const fields = {
  invoice_name: true,
  invoice_company: true,
  invoice_email: true,
  invoice_phone: true,
  invoice_street: true,
  invoice_street2: true,
  invoice_zip: true,
  invoice_city: true,
  invoice_state_id: { name: true },
  invoice_country_id: { name: true },
  invoice_vat: true,
  shipping_same: true,
  shipping_name: true,
  shipping_phone: true,
  shipping_street: true,
  shipping_street2: true,
  shipping_zip: true,
  shipping_city: true,
  shipping_state_id: { name: true },
  shipping_country_id: { name: true },
} as const;

/** The addresses of an order as lines of text, the way they stand on a letter; null where there is none. */
export async function orderAddresses(
  ctx: Ctx,
  order: Id,
): Promise<{
  readonly invoice: readonly string[];
  readonly shipping: readonly string[] | null;
  readonly email: string;
}> {
  const row = await ctx
    .sudo() // The order is the caller's.
    .model(SaleOrder)
    .get(order, { select: fields });
  return {
    email: row.invoice_email ?? '',
    invoice: filledLines([
      ...addressLines({
        name: row.invoice_name,
        company: row.invoice_company,
        street: row.invoice_street,
        street2: row.invoice_street2,
        zip: row.invoice_zip,
        city: row.invoice_city,
        state: row.invoice_state_id,
        country: row.invoice_country_id,
      }),
      row.invoice_email,
      row.invoice_phone,
    ]),
    shipping: row.shipping_same
      ? null
      : filledLines([
          ...addressLines({
            name: row.shipping_name,
            street: row.shipping_street,
            street2: row.shipping_street2,
            zip: row.shipping_zip,
            city: row.shipping_city,
            state: row.shipping_state_id,
            country: row.shipping_country_id,
          }),
          row.shipping_phone,
        ]),
  };
}

/** The fields of the address form as text, from an order. */
export async function formValues(ctx: Ctx, order: Id): Promise<Record<string, string>> {
  const row = await ctx
    .sudo() // The order is the caller's.
    .model(SaleOrder)
    .get(order, { select: fields });
  return {
    name: row.invoice_name ?? '',
    email: row.invoice_email ?? '',
    phone: row.invoice_phone ?? '',
    street: row.invoice_company ?? '',
    street2: [row.invoice_street, row.invoice_street2].filter(Boolean).join(', '),
    zip: row.invoice_zip ?? '',
    city: row.invoice_city ?? '',
    state_id: String(row.invoice_state_id?.id ?? ''),
    country_id: String(row.invoice_country_id?.id ?? ''),
    vat: row.invoice_vat ?? '',
    shipping_id: row.shipping_same ? '0' : '-1',
    shipping_name: row.shipping_name ?? '',
    shipping_phone: row.shipping_phone ?? '',
    shipping_street: [row.shipping_street, row.shipping_street2].filter(Boolean).join(', '),
    shipping_zip: row.shipping_zip ?? '',
    shipping_city: row.shipping_city ?? '',
    shipping_state_id: String(row.shipping_state_id?.id ?? ''),
    shipping_country_id: String(row.shipping_country_id?.id ?? ''),
  };
}
