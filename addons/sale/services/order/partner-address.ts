import { Partner } from '#addons/base';
import type { Ctx, FieldsOf, Id, Values } from '#core';
import type { SaleOrder } from '../../models/sale-order.ts';

type OrderValues = Values<FieldsOf<SaleOrder>>;

/** A contact's address as an order copies it, with what else of them matters for it. */
export interface PartnerAddress {
  readonly invoice_name: string;
  readonly invoice_company: string | null;
  readonly invoice_email: string | null;
  readonly invoice_phone: string | null;
  readonly invoice_street: string | null;
  readonly invoice_street2: string | null;
  readonly invoice_zip: string | null;
  readonly invoice_city: string | null;
  readonly invoice_state_id: Id | null;
  readonly invoice_country_id: Id | null;
  readonly invoice_vat: string | null;
  readonly lang: string | null;
  readonly country: Id | null;
  readonly vat: string | null;
}

/** The address of a contact, or of the company it belongs to where it has none itself. */
export async function addressOfPartner(ctx: Ctx, partner: Id): Promise<PartnerAddress> {
  const place = {
    name: true,
    street: true,
    street2: true,
    zip: true,
    city: true,
    state_id: true,
    country_id: true,
    vat: true,
    email: true,
    phone: true,
    lang: true,
  } as const;
  const own = await ctx.model(Partner).get(partner, { select: { ...place, is_company: true, parent_id: place } });
  const above = own.parent_id;
  const from = above && !own.street && !own.street2 && !own.city && !own.country_id ? above : own;
  return {
    invoice_name: own.name,
    invoice_company: above?.name ?? null,
    invoice_email: own.email ?? above?.email ?? null,
    invoice_phone: own.phone ?? above?.phone ?? null,
    invoice_street: from.street,
    invoice_street2: from.street2,
    invoice_zip: from.zip,
    invoice_city: from.city,
    invoice_state_id: from.state_id,
    invoice_country_id: from.country_id,
    invoice_vat: own.vat ?? above?.vat ?? null,
    lang: own.lang ?? above?.lang ?? null,
    country: from.country_id,
    vat: own.vat ?? above?.vat ?? null,
  };
}

/** Whether values bring an address of their own. */
export function hasAddress(values: OrderValues): boolean {
  return Object.keys(values).some((name) => name.startsWith('invoice_'));
}
