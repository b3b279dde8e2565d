import { type NumberInput, parseNumber, t } from 'pergola/browser';
import { isNamed } from '../lib/format.ts';
import type { FieldInfo, Start } from '../types.ts';
import type { Unreadable } from './wire.ts';

/** Digits that a JavaScript number represents exactly. */
const MAX_DIGITS = 15;

/** Parses a typed number. Returns false if the text is empty, {@link Unreadable} if it isn't a number that the field can hold. */
export function readNumber(text: string, input: NumberInput): number | false | Unreadable {
  if (text.trim() === '') return false;
  const { value, fault } = parseNumber(text, input);
  if (value === null) return { kind: 'unreadable', text, fault };
  if (value.replace(/^[-0.]+|\./g, '').length <= MAX_DIGITS) return Number(value);
  return { kind: 'unreadable', text, fault: t('Use at most {n} digits.', { n: MAX_DIGITS }) };
}

type Values = Readonly<Record<string, unknown>>;
type Currencies = Start['currencies'];

/** Currency of an amount in the record, or null if the field isn't an amount or the currency is unknown. */
function currencyOf({ currencyField, kind }: FieldInfo, record: Values, currencies: Currencies) {
  const currency = record[currencyField ?? (kind === 'money' ? 'currency_id' : '')];
  return isNamed(currency) ? { code: currency[1], format: currencies[currency[1]] } : null;
}

/** Maximum number of decimals of any currency, for records whose currency only the server knows. */
const MAX_DECIMALS = 4;

/** Returns the numbers that a field accepts. Integers have no decimals, amounts as many as their currency. */
export function inputOf(field: FieldInfo, record: Values, currencies: Currencies): NumberInput {
  const { code, format } = currencyOf(field, record, currencies) ?? {};
  const { kind, places, percentage } = field;
  const units = {
    currency: code ? [code, format?.before ?? '', format?.after ?? ''] : [],
    percent: percentage === 'percent',
  };
  if (kind === 'integer') return { ...units, places: 0 };
  if (kind === 'money') return { ...units, places: format?.digits ?? MAX_DECIMALS };
  return { ...units, places: kind === 'decimal' ? (places ?? 6) : undefined };
}

/** Returns the minimum number of decimals: the currency's for amounts and prices, otherwise zero. */
export function decimalsOf(field: FieldInfo, record: Values, currencies: Currencies): number {
  if (field.kind !== 'money' && field.currencyField === null) return 0;
  return currencyOf(field, record, currencies)?.format?.digits ?? 2;
}
