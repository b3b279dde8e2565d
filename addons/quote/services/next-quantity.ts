import { type Decimal, decimal } from 'pergola';

/** Change the customer makes to a line: one more, one less, or remove it. */
export type LineChange = 'more' | 'less' | 'unlink';

/** Highest quantity customers can set themselves. */
const MAX_QUANTITY = '9999';

/** Increases or decreases a quantity by one, but never below one, nor below a current quantity that is less than one. */
export function nextQuantity(quantity: Decimal, change: Exclude<LineChange, 'unlink'>): Decimal {
  const now = decimal(quantity);
  const next = change === 'more' ? now.plus('1') : now.minus('1');
  if (next.lt('1') && change === 'less') return quantity;
  return (decimal(MAX_QUANTITY).lt(next.toString()) ? quantity : next.toString()) as Decimal;
}
