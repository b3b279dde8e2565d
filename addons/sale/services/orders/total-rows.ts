import type { Ctx, Minor } from 'pergola';
import { t } from '../../texts.ts';
import type { MoneyTexts } from '../formats.ts';

/** Totals of an order, in minor units. */
export interface OrderSums {
  readonly untaxed: Minor;
  readonly total: Minor;
  readonly taxes: readonly { readonly label: string; readonly amount: Minor }[];
}

/** A row below the lines of an order. */
export interface TotalRow {
  readonly kind: 'untaxed' | 'tax' | 'total';
  readonly label: string;
  readonly value: Minor;
  /** `40.40 €` */
  readonly amount: string;
  /** Printed after the amount: `incl. 6.00 € VAT`; empty if not needed. */
  readonly note: string;
}

/**
 * Returns the rows below the lines of a cart, order or quotation, the same on all pages, emails and documents. If lines include tax, the
 * total states the included tax; otherwise the rows lead from the subtotal to the total.
 *
 * @param taxed whether lines are shown with tax (`Pricing.showsTax`)
 */
export function totalRows(
  ctx: Ctx,
  { untaxed, total, taxes }: OrderSums,
  money: MoneyTexts,
  taxed: boolean,
): TotalRow[] {
  const tax = total - untaxed;
  const [first, ...others] = taxes;
  const name = first && others.length === 0 ? first.label : t(ctx, 'VAT');
  const note = taxed && tax !== 0 ? t(ctx, 'incl. {amount} {tax}', { amount: money.amount(tax), tax: name }) : '';
  const row = (kind: TotalRow['kind'], label: string, value: Minor): TotalRow => {
    return { kind, label, value, amount: money.amount(value), note: '' };
  };
  const sum = { ...row('total', t(ctx, 'Total'), total), note };
  if (!taxed) {
    const shares = taxes.map(({ label, amount }) => row('tax', label, amount));
    return [row('untaxed', t(ctx, 'Subtotal (excl. tax)'), untaxed), ...shares, sum];
  }
  // The note names a single tax, unless its amount is zero.
  const isNamed = others.length > 0 || (first !== undefined && tax === 0);
  if (!isNamed) return [sum];
  return [sum, ...taxes.map(({ label, amount }) => row('tax', t(ctx, 'of which {tax}', { tax: label }), amount))];
}
