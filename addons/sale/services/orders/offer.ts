import type { Decimal, Id, Ids } from 'pergola';
import type { Supply, TaxTerms } from '../../models/account-fiscal-position.ts';

/** Everything the prices of an order depend on. */
export interface OrderTerms extends TaxTerms {
  readonly pricelist: Id | null;
  readonly currency: Id;
  readonly lang: string | null;
  readonly partner: Id | null;
}

/** A requested item for an order. */
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

/** The shop's offer, as values of a line. */
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

/** Whether two lines have the same taxes, in any order. */
export function sameTaxes(a: Ids, b: Ids): boolean {
  return a.length === b.length && a.every((tax) => b.includes(tax));
}
