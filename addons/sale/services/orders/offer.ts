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
  /** Values that extensions added to the line (`event_ticket_id`). */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Existing line, if any. */
  readonly line?: Id;
  /** Replaces the product's list price, in the product's currency; pricelist rules are applied to it. */
  readonly list?: Decimal;
  /** Place of taxation; derived from the product's type if left out. */
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

/** The shop's price and taxes when a line was last priced; a line with other values was changed by hand. */
export interface OfferedPrice {
  readonly price_unit: Decimal;
  readonly tax_id: Ids;
  /** Fiscal position of the taxes. Missing in data of earlier versions, where it was the order's. */
  readonly position?: Id | null;
}

/** Whether two lines have the same taxes, in any order. */
export function sameTaxes(a: Ids, b: Ids): boolean {
  return a.length === b.length && a.every((tax) => b.includes(tax));
}
