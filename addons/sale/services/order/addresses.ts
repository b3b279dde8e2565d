import type { Ctx, FieldsOf, Id, Ids, Values } from '#core';
import { ProductPricelist } from '../../models/product-pricelist.ts';
import { SaleOrder } from '../../models/sale-order.ts';
import { fiscalPositionFor } from '../tax/fiscal-position.ts';
import { ofCustomer } from './complete.ts';
import { refuseUnlessEditable } from './frozen.ts';
import { repriceOrder } from './reprice.ts';

/** An address as a customer gives it. */
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
export interface AddressInput {
  readonly billing: PostalAddress;
  /** Null: sent to the same address. */
  readonly shipping?: PostalAddress | null;
}

type OrderValues = Values<FieldsOf<SaleOrder>>;

/** Changes of orders with what follows from them: a customer brings address and taxes, a pricelist its currency. */
export async function copyAddresses(ctx: Ctx, ids: Ids, values: OrderValues): Promise<OrderValues> {
  const system = ctx.sudo(); // What follows from a customer and a pricelist does so for everybody who may write the order.
  const customer =
    typeof values.partner_id === 'number' && (await changesCustomer(system, ids, values.partner_id))
      ? await ofCustomer(system, values.partner_id, values)
      : {};
  const { pricelist_id } = values;
  const [list] =
    typeof pricelist_id === 'number'
      ? await system.model(ProductPricelist).read([pricelist_id], { select: { currency_id: true } })
      : [];
  return { ...customer, ...values, ...(list ? { currency_id: list.currency_id } : {}) };
}

async function changesCustomer(ctx: Ctx, ids: Ids, partner: Id): Promise<boolean> {
  const others = await ctx
    .model(SaleOrder)
    .count([['id', 'in', ids], '|', ['partner_id', '=', null], ['partner_id', '!=', partner]]);
  return others > 0;
}

/** See `SaleOrder.setAddress`. */
export async function takeAddress(ctx: Ctx, id: Id, { billing, shipping = null }: AddressInput): Promise<void> {
  await ctx.lock(SaleOrder, [id]);
  const orders = ctx.model(SaleOrder);
  const order = await orders.get(id, { select: { state: true, partner_id: true, fiscal_position: true } });
  await refuseUnlessEditable(ctx, order);
  const position = await fiscalPositionFor(ctx.sudo(), {
    partner: order.partner_id,
    country: (shipping ?? billing).country_id ?? null,
    vat: billing.vat ?? null,
  }); // The taxes of a place are no secret of whoever lives there.
  await orders.write(id, { ...addressFields(billing, shipping), fiscal_position: position });
  if (position !== order.fiscal_position) await repriceOrder(ctx, id);
}

/** An address as fields of an order. */
export function addressFields(billing: PostalAddress, shipping: PostalAddress | null): OrderValues {
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
