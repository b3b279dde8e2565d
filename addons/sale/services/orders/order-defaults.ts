import { Company, Partner, Sequence } from '@pergola/base';
import { app, type FieldsOf, type Id, NotFound, service, type Values } from 'pergola';
import { FiscalPosition } from '../../models/account-fiscal-position.ts';
import { ProductPricelist } from '../../models/product-pricelist.ts';
import { SaleCompany } from '../../models/res-company.ts';
import type { SaleOrder } from '../../models/sale-order.ts';
import { Pricing } from '../pricing/pricing.ts';
import { type NumberStatus, TaxNumbers } from '../tax/tax-numbers.ts';
import type { OrderTerms } from './offer.ts';

type OrderValues = Values<FieldsOf<SaleOrder>>;

/** Code of the sequence for order numbers. */
export const orderSequence = 'sale.order';

/** Tax values that an order derives from its addresses and tax number. */
export interface OrderTaxes {
  readonly fiscal_position: Id | null;
  readonly invoice_vat_state: NumberStatus['state'];
  readonly invoice_vat_checked: Date | null;
  readonly invoice_vat_consultation: string | null;
}

/** Fields of an order that determine its terms: `termColumns`. */
interface TermsRow {
  readonly is_cart: boolean | null;
  readonly partner_id: Id | null;
  readonly pricelist_id: Id | null;
  readonly currency_id: Id;
  readonly company_id: Id;
  readonly fiscal_position: Id | null;
  readonly lang: string | null;
  readonly invoice_country_id: Id | null;
  readonly invoice_vat_state: NumberStatus['state'];
  readonly shipping_same: boolean | null;
  readonly shipping_country_id: Id | null;
}

/** Fields of a contact. */
const contactFields = {
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

/**
 * Derives the defaults of an order: company, number, prices, currency, and the customer's address and taxes. The defaults apply for
 * everyone who may write orders, so it needs elevated rights.
 */
export class OrderDefaults extends service('sale.order_defaults', {
  ctx: app.ctx,
  pricing: Pricing,
  taxNumbers: TaxNumbers,
}) {
  /** Completes the values of a new order. */
  async forNew(input: OrderValues): Promise<OrderValues> {
    const partner = idOf(input.partner_id);
    const company = idOf(input.company_id) ?? (await this.mainCompany());
    const pricelist = 'pricelist_id' in input ? idOf(input.pricelist_id) : await this.pricing.pricelistFor(partner);
    const fromPartner = partner === null ? {} : await this.#customerValues(partner, input);
    const taxes =
      partner === null && !input.invoice_vat
        ? {}
        : await this.taxesOf({ ...fromPartner, ...input, company_id: company });
    // Without a customer, the position is the given one or empty.
    const position = partner === null ? { fiscal_position: null } : {};
    const lang = input.lang ?? fromPartner.lang;
    return {
      ...(input.is_cart || input.name ? {} : { name: await this.ctx.model(Sequence).next(orderSequence) }),
      ...(input.is_cart
        ? {}
        : { user_id: this.ctx.user.id, note: await this.#noteOf(company, typeof lang === 'string' ? lang : null) }),
      ...fromPartner,
      ...taxes,
      ...position,
      ...input,
      company_id: company,
      pricelist_id: pricelist,
      currency_id: await this.#currencyFor(pricelist, company),
    };
  }

  /**
   * Adds derived values to changes: a new customer brings their address, and their pricelist unless it's a cart (which keeps its
   * visitor's); a pricelist brings its currency. `taxesOf` derives the taxes.
   */
  async forChange(values: OrderValues, newCustomer: 'of a cart' | 'of a quotation' | null): Promise<OrderValues> {
    const { partner_id } = values;
    const customer =
      newCustomer && typeof partner_id === 'number' ? await this.#customerValues(partner_id, values) : {};
    const list =
      newCustomer === 'of a quotation' && typeof partner_id === 'number' && !('pricelist_id' in values)
        ? { pricelist_id: await this.pricing.pricelistFor(partner_id) }
        : {};
    const pricelist = idOf({ ...list, ...values }.pricelist_id);
    const [currency] =
      pricelist === null
        ? []
        : await this.ctx.model(ProductPricelist).read([pricelist], { select: { currency_id: true } });
    return { ...customer, ...list, ...values, ...(currency ? { currency_id: currency.currency_id } : {}) };
  }

  /** Returns the default selling company: the first one. */
  async mainCompany(): Promise<Id> {
    const [first] = await this.ctx.model(Company).search([], { order: 'id', limit: 1 });
    if (first === undefined) throw new NotFound('No company is set up for sales.', { code: 'sale.no_company' });
    return first;
  }

  /**
   * Derives the automatic fiscal position of an order and the status of its tax number, from its addresses.
   *
   * @param order addresses, customer and company of the order; `shipping_same` defaults to true
   */
  async taxesOf(order: OrderValues): Promise<OrderTaxes> {
    const { state, checked, consultation, isReverseCharge } = await this.taxNumbers.statusOf({
      vat: textOf(order.invoice_vat),
      zip: textOf(order.invoice_zip),
      country: idOf(order.invoice_country_id),
      company: idOf(order.company_id) ?? (await this.mainCompany()),
    });
    return {
      fiscal_position: await this.#positionOf(order, isReverseCharge),
      invoice_vat_state: state,
      invoice_vat_checked: checked,
      invoice_vat_consultation: consultation,
    };
  }

  /** Returns the fiscal position of a customer at their own address, or null. */
  async positionOfCustomer(partner: Id): Promise<Id | null> {
    return (await this.taxesOf({ ...(await this.#customerValues(partner, {})), partner_id: partner })).fiscal_position;
  }

  /** Returns the terms that determine prices and taxes of an order's lines. */
  async termsOf(order: TermsRow): Promise<OrderTerms> {
    const { company_id: company, partner_id: partner, fiscal_position: fiscalPosition } = order;
    const isChosen = !order.is_cart && !(await this.isAutomatic(order));
    const isShippedElsewhere = order.shipping_same === false && order.shipping_country_id !== order.invoice_country_id;
    return {
      pricelist: order.pricelist_id,
      currency: order.currency_id,
      lang: order.lang,
      partner,
      company,
      fiscalPosition,
      isChosen,
      ...(isShippedElsewhere && !isChosen ? { servicePosition: await this.#servicePosition(order) } : {}),
    };
  }

  /** Fiscal position of an order's services. They aren't delivered, so the customer's address counts instead of the shipping address. */
  async #servicePosition({ invoice_vat_state: state, ...order }: TermsRow): Promise<Id | null> {
    const isReverseCharge = state === 'valid' || (state === 'unverified' && (await this.taxNumbers.trustsUnverified()));
    return this.#positionOf({ ...order, shipping_same: true }, isReverseCharge);
  }

  /** Whether an order has the automatic fiscal position of its addresses, under any status of its tax number; otherwise staff chose it. */
  async isAutomatic(order: OrderValues): Promise<boolean> {
    for (const isReverseCharge of [false, true])
      if (idOf(order.fiscal_position) === (await this.#positionOf(order, isReverseCharge))) return true;
    return false;
  }

  /** Returns an order's automatic fiscal position while the register hasn't confirmed its tax number. */
  async unverifiedPosition(order: OrderValues): Promise<Id | null> {
    return this.#positionOf(order, await this.taxNumbers.trustsUnverified());
  }

  async #positionOf(order: OrderValues, isReverseCharge: boolean): Promise<Id | null> {
    const field = order.shipping_same === false ? 'shipping_country_id' : 'invoice_country_id';
    return this.ctx.model(FiscalPosition).forCustomer({
      partner: idOf(order.partner_id),
      country: idOf(order[field]),
      company: idOf(order.company_id) ?? (await this.mainCompany()),
      isReverseCharge,
    });
  }

  /** Returns address and language of a customer, unless they are given. */
  async #customerValues(partner: Id, input: OrderValues): Promise<OrderValues> {
    const { lang, ...address } = await this.#addressOf(partner);
    const hasOwn = Object.keys(input).some((name) => name.startsWith('invoice_'));
    return { ...(hasOwn ? {} : address), ...(input.lang || !lang ? {} : { lang }) };
  }

  /** Address of a contact for an order, or the address of its company if it has no address. */
  async #addressOf(partner: Id) {
    const contact = await this.ctx
      .model(Partner)
      .get(partner, { select: { ...contactFields, is_company: true, parent_id: contactFields } });
    const parent = contact.parent_id;
    const from =
      parent && !contact.street && !contact.street2 && !contact.city && !contact.country_id ? parent : contact;
    return {
      invoice_name: contact.name,
      invoice_company: parent?.name ?? null,
      invoice_email: contact.email ?? parent?.email ?? null,
      invoice_phone: contact.phone ?? parent?.phone ?? null,
      invoice_street: from.street,
      invoice_street2: from.street2,
      invoice_zip: from.zip,
      invoice_city: from.city,
      invoice_state_id: from.state_id,
      invoice_country_id: from.country_id,
      invoice_vat: contact.vat ?? parent?.vat ?? null,
      lang: contact.lang ?? parent?.lang ?? null,
    };
  }

  /** Returns the currency of a pricelist, or the company's without one. */
  async #currencyFor(pricelist: Id | null, company: Id): Promise<Id> {
    if (pricelist === null)
      return (await this.ctx.model(Company).get(company, { select: { currency_id: true } })).currency_id;
    const [list] = await this.ctx.model(ProductPricelist).find(
      [
        ['id', '=', pricelist],
        ['active', 'in', [true, false]],
      ],
      { select: { currency_id: true } },
    );
    if (!list) throw new NotFound('We can’t find this pricelist.', { code: 'sale.no_pricelist' });
    return list.currency_id;
  }

  /** A company's terms for its quotations, in the customer's language. */
  async #noteOf(company: Id, lang: string | null): Promise<string | null> {
    const ctx = lang === null ? this.ctx : this.ctx.as({ lang });
    return (await ctx.model(SaleCompany).get(company, { select: { sale_note: true } })).sale_note;
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function idOf(value: unknown): Id | null {
  return typeof value === 'number' ? value : null;
}
