import type { Decimal, Id, Ids } from 'pergola';
import type { Supply, TaxTerms } from '../../models/account-fiscal-position.ts';

/** What the prices of an order follow. */
export interface OrderTerms extends TaxTerms {
  readonly pricelist: Id | null;
  readonly currency: Id;
  readonly lang: string | null;
  readonly partner: Id | null;
}

/** Something somebody wants on an order. */
export interface OfferRequest {
  readonly product: Id;
  readonly quantity: Decimal;
  /** Values of the line that extensions added to it (`event_ticket_id`). */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** The line, when there is one already. */
  readonly line?: Id;
  /** A price of its own, in the currency of the product, in place of the product's list price; the rules of the pricelist come after it. */
  readonly list?: Decimal;
  /** Where it is taxed; by the type of the product if left out. */
  readonly supply?: Supply;
}

/** What the shop asks for it, as values of a line. */
export interface Offer {
  readonly name: string;
  readonly price_unit: Decimal;
  readonly price_list: Decimal;
  readonly tax_id: readonly Id[];
  readonly product_uom: Id | null;
  readonly last_offer: OfferedPrice;
}

/** Price and taxes that the shop offered when a line was last priced; a line that differs from them was changed by hand. */
export interface OfferedPrice {
  readonly price_unit: Decimal;
  readonly tax_id: Ids;
  /** Fiscal position the taxes follow; left out by earlier versions, where it was the order's. */
  readonly position?: Id | null;
}

/** Whether two lines are taxed alike, in whatever order their taxes are listed. */
export function sameTaxes(some: Ids, others: Ids): boolean {
  return some.length === others.length && some.every((tax) => others.includes(tax));
}
