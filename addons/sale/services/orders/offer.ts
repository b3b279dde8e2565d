import type { Decimal, Id, Ids } from '#core';

/** What the prices of an order follow. */
export interface OrderTerms {
  readonly pricelist: Id | null;
  readonly currency: Id;
  readonly fiscalPosition: Id | null;
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
}

/** What the shop asks for it, as values of a line. */
export interface Offer {
  readonly name: string;
  readonly price_unit: Decimal;
  readonly price_list: Decimal;
  readonly tax_id: readonly Id[];
  readonly product_uom: Id | null;
}

/** Whether two lines are taxed alike, in whatever order their taxes are listed. */
export function sameTaxes(some: Ids, others: Ids): boolean {
  return some.length === others.length && some.every((tax) => others.includes(tax));
}
