import { usePage } from 'pergola/islands';

/** An amount with the text of its currency around it, as split by the template helper `money`. */
export interface MoneyValue {
  /** In major units: 12.5. */
  readonly value: number;
  /** Number of decimals of the currency. */
  readonly digits: number;
  readonly before: string;
  readonly after: string;
}

/** Maximum number of decimals of unit prices. */
const MAX_DIGITS = 6;

/** Amount in the format of the page's language. Unit prices with more decimals than the currency keep them. */
export function Money({ of: { value, digits, before, after } }: { readonly of: MoneyValue }) {
  const { number } = usePage();
  const text = number(value, { minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, MAX_DIGITS) });
  return (
    <>
      {before}
      <span className="oe_currency_value">{text}</span>
      {after}
    </>
  );
}
