import { filledLines, invoiceAddress, invoiceLines, SaleOrder, shippingAddress, shippingLines } from '@pergola/sale';
import type { Ctx, Id } from 'pergola';

const fields = {
  ...invoiceAddress,
  ...shippingAddress,
  invoice_email: true,
  invoice_phone: true,
  invoice_vat: true,
  shipping_phone: true,
} as const;

/** Addresses of an order as lines of text, formatted as on a letter; null if missing. */
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
  const shipping = shippingLines(row);
  return {
    email: row.invoice_email ?? '',
    invoice: filledLines([...invoiceLines(row), row.invoice_email, row.invoice_phone]),
    shipping: shipping && filledLines([...shipping, row.shipping_phone]),
  };
}

/** Returns an order's values for the address form, as text. */
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
