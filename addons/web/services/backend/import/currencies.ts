import { Company, Currency } from '@pergola/base';
import { type Ctx, currencyIn, fold, type Id, InvalidInput } from 'pergola';
import type { FieldInfo, ModelInfo } from '../../../backend/types.ts';
import { t } from '../../../texts.ts';
import { callModel } from '../../rpc/call.ts';
import { type Cell, isCellAmount, textOf } from './table.ts';

/**
 * Whether a field holds amounts, prices or percentages. Quantities are decimals with three to five places, for which three decimals are
 * common.
 */
export function isAmount({ kind, places }: FieldInfo): boolean {
  return kind === 'money' || (kind === 'decimal' && (places === null || places < 3 || places > 5));
}

/** Whether a field accepts amounts with a currency. */
export function takesCurrency(field: FieldInfo): boolean {
  return field.percentage === null && isAmount(field);
}

/** Returns the currency of a cell as written, or null. */
export function currencyOf(cell: Cell): string | null {
  if (isCellAmount(cell)) return cell.currency;
  return typeof cell === 'string' ? currencyIn(cell) : null;
}

/** An amount read from a row, with its field. */
export interface WrittenAmount {
  readonly field: FieldInfo;
  readonly cell: Cell;
}

/**
 * Compares the currencies of amounts in a row with the stored record's currency.
 *
 * @throws InvalidInput by field, for amounts in another currency
 */
export async function refuseOtherCurrencies(
  ctx: Ctx,
  info: ModelInfo,
  id: Id,
  amounts: readonly WrittenAmount[],
): Promise<void> {
  const problems: Record<string, string> = {};
  for (const { field, cell } of amounts) {
    if (currencyOf(cell) === null) continue;
    const problem = await currencyProblem(ctx, cell, await recordCurrency(ctx, info, id, field));
    if (problem !== null) problems[field.name] = problem;
  }
  if (Object.keys(problems).length > 0)
    throw new InvalidInput('This line isn’t valid.', { code: 'web.import_line', fields: problems });
}

/** Returns the problem of an amount whose currency differs from the record's (by default the company's), or null. */
export async function currencyProblem(ctx: Ctx, cell: Cell, currency: Id | null): Promise<string | null> {
  const currencyText = currencyOf(cell);
  const system = ctx.sudo(); // Codes and symbols of currencies are public.
  const id =
    currency ?? (await system.model(Company).first([], { select: { currency_id: true }, order: 'id' }))?.currency_id;
  if (currencyText === null || !id) return null;
  const names = await system.model(Currency).get(id, { select: { name: true, symbol: true } });
  if (isNameOf(currencyText, names)) return null;
  return t(
    ctx,
    '“{value}” isn’t in {currency}, the currency of this record. Convert the amount or change the currency of the record.',
    { value: textOf(cell).slice(0, 60), currency: names.name },
  );
}

interface CurrencyNames {
  readonly name: string;
  readonly symbol: string;
}

/** Returns the currency of the record, or null if its model doesn't have a currency. */
async function recordCurrency(ctx: Ctx, info: ModelInfo, id: Id, field: FieldInfo): Promise<Id | null> {
  const name = field.currencyField ?? 'currency_id';
  if (!Object.hasOwn(info.fields, name)) return null;
  const args = [[id], [name]];
  const [row] = (await callModel(ctx, { model: info.name, method: 'read', args, kwargs: {} })) as object[];
  const value: unknown = Reflect.get(row ?? {}, name);
  return Array.isArray(value) ? Number(value[0]) : null;
}

/** Alternative spellings of currency symbols. */
const spellings: Readonly<Record<string, string>> = {
  円: '¥',
  元: '¥',
  '￥': '¥',
  원: '₩',
  руб: '₽',
  rs: '₹',
  fr: 'chf',
};

/** Whether a text names a currency by code, symbol, or letters of the code followed by the symbol: `EUR`, `€`, `US$`. */
function isNameOf(currencyText: string, { name, symbol }: CurrencyNames): boolean {
  const normalize = (text: string): string => {
    const folded = fold(text).replace(/\.$/, '');
    return spellings[folded] ?? folded;
  };
  const text = normalize(currencyText);
  const names = [normalize(name), normalize(symbol)];
  if (names.includes(text)) return true;
  const [, letters = '', sign = ''] = /^([a-z]*)(\p{Sc})$/u.exec(text) ?? [];
  return letters !== '' && normalize(symbol).endsWith(sign) && normalize(name).startsWith(letters);
}
