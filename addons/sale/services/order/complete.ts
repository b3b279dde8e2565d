import { Company, Sequence } from '#addons/base';
import { type Ctx, type FieldsOf, type Id, NotFound, type Values } from '#core';
import { ProductPricelist } from '../../models/product-pricelist.ts';
import { SaleCompany } from '../../models/res-company.ts';
import type { SaleOrder } from '../../models/sale-order.ts';
import { pricelistFor } from '../pricing/pricelist-for.ts';
import { fiscalPositionFor } from '../tax/fiscal-position.ts';
import { addressOfPartner, hasAddress } from './partner-address.ts';

type OrderValues = Values<FieldsOf<SaleOrder>>;

/** The code of the sequence that numbers orders. */
export const orderSequence = 'sale.order';

/** New orders with what follows from what was given: company, number, prices, currency, address and taxes of the customer. */
export async function completeOrders(ctx: Ctx, values: readonly OrderValues[]): Promise<OrderValues[]> {
  const complete: OrderValues[] = [];
  for (const value of values) complete.push(await completeOrder(ctx, value));
  return complete;
}

async function completeOrder(ctx: Ctx, given: OrderValues): Promise<OrderValues> {
  const system = ctx.sudo(); // What follows from a customer and a pricelist does so for everybody who may make an order.
  const partner = idOf(given.partner_id);
  const company = idOf(given.company_id) ?? (await mainCompany(system));
  const pricelist = 'pricelist_id' in given ? idOf(given.pricelist_id) : await pricelistFor(system, partner);
  const fromPartner = partner === null ? {} : await ofCustomer(system, partner, given);
  const lang = given.lang ?? fromPartner.lang;
  return {
    ...(given.is_cart || given.name ? {} : { name: await system.model(Sequence).next(orderSequence) }),
    ...(given.is_cart
      ? {}
      : {
          user_id: ctx.user.id,
          note: await termsOf(typeof lang === 'string' ? system.as({ lang }) : system, company),
        }),
    ...fromPartner,
    ...given,
    company_id: company,
    pricelist_id: pricelist,
    currency_id: await currencyFor(system, pricelist, company),
  };
}

/** The address, language and fiscal position of a customer, unless they are given. */
export async function ofCustomer(ctx: Ctx, partner: Id, given: OrderValues): Promise<OrderValues> {
  const { lang, country, vat, ...address } = await addressOfPartner(ctx, partner);
  const own = hasAddress(given) ? {} : address;
  const position =
    'fiscal_position' in given ? {} : { fiscal_position: await fiscalPositionFor(ctx, { partner, country, vat }) };
  return { ...own, ...position, ...(given.lang || !lang ? {} : { lang }) };
}

/** The currency of a pricelist; the company's without one. */
export async function currencyFor(ctx: Ctx, pricelist: Id | null, company: Id): Promise<Id> {
  if (pricelist !== null) {
    const [list] = await ctx.model(ProductPricelist).find(
      [
        ['id', '=', pricelist],
        ['active', 'in', [true, false]],
      ],
      { select: { currency_id: true } },
    );
    if (list) return list.currency_id;
    throw new NotFound('There is no such pricelist.', { code: 'sale.no_pricelist' });
  }
  const { currency_id } = await ctx.model(Company).get(company, { select: { currency_id: true } });
  return currency_id;
}

/** What a company says at the end of its quotations, in the context's language. */
async function termsOf(ctx: Ctx, company: Id): Promise<string | null> {
  const { sale_note } = await ctx.model(SaleCompany).get(company, { select: { sale_note: true } });
  return sale_note;
}

/** The company that sells where none is named: the first. */
export async function mainCompany(ctx: Ctx): Promise<Id> {
  const [first] = await ctx.model(Company).search([], { order: 'id', limit: 1 });
  if (first === undefined) throw new NotFound('There is no company that sells.', { code: 'sale.no_company' });
  return first;
}

function idOf(value: unknown): Id | null {
  return typeof value === 'number' ? value : null;
}
