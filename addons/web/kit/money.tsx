import { usePage } from 'pergola/islands';

/** An amount of money with what its currency writes around it, as the helper `money` of templates splits it. */
export interface MoneyValue {
  /** In whole units: 12.5. */
  readonly value: number;
  /** How many digits the currency has. */
  readonly digits: number;
  readonly before: string;
  readonly after: string;
}

/** Unit prices have so many digits at the most. */
const MOST_DIGITS = 6;

/** An amount as the page's language writes it; unit prices with more digits than the currency has keep theirs. */
export function Money({ of: { value, digits, before, after } }: { readonly of: MoneyValue }) {
  const { number } = usePage();
  const text = number(value, { minimumFractionDigits: digits, maximumFractionDigits: Math.max(digits, MOST_DIGITS) });
  return (
    <>
      {before}
      <span className="oe_currency_value">{text}</span>
      {after}
    </>
  );
}
