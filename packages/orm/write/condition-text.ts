import { ownText, t } from '@pergola/texts';
import { mayReadField } from '../access/rights.ts';
import { isFault, resolvePath } from '../build/paths.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import type { Condition } from '../fields.ts';
import { holds } from './holds.ts';

type Term = Exclude<Condition[number], string>;
type Values = Readonly<Record<string, unknown>>;

/**
 * Describes why a record meets a condition, in the reader's language: `Status is Done`. For fields of related records, which may be hidden
 * from the reader, only repeats the condition: `Payments / Status is Draft or Pending`.
 *
 * @param record the values of the condition's fields
 * @returns null if the reader may not read a field of the condition
 */
export function conditionText(bound: BoundModel, condition: Condition, record: Values): string | null {
  const terms = condition.filter((term) => typeof term !== 'string');
  const metTerms = terms.filter((term) => holds([term], record));
  const texts = (metTerms.length > 0 ? metTerms : terms).map((term) => termText(bound, term, record));
  return texts.includes(null) ? null : [...new Set(texts)].join(', ');
}

function termText(bound: BoundModel, [path, operator, operand]: Term, record: Values): string | null {
  const { ctx, compiled, registry } = bound;
  const fields = resolvePath((model) => registry.get(model)?.fields, compiled.name, path.split('.'));
  if (isFault(fields) || !fields.every((field) => mayReadField(ctx, field))) return null;
  const last = fields.at(-1);
  if (!last) return null;
  const field = fields.map(({ addon, label }) => ownText(ctx, addon, label)).join(' / ');
  const isOwn = fields.length === 1;
  const values = isOwn ? [record[last.name]] : [operand].flat();
  if (values.every(isEmpty)) return t(ctx, '{field} is empty', { field });
  if (last.relation) return t(ctx, '{field} is set', { field });
  const value = values.map((fieldValue) => valueText(bound, last, fieldValue)).join(` ${t(ctx, 'or')} `);
  if (isOwn || operator === '=' || operator === 'in') return t(ctx, '{field} is {value}', { field, value });
  if (operator === '!=' || operator === 'not in') return t(ctx, '{field} is not {value}', { field, value });
  return `${field} ${operator} ${value}`;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function valueText({ ctx }: BoundModel, { choices }: CompiledField, value: unknown): string {
  const choice = choices?.get(String(value));
  if (choice) return ownText(ctx, choice.addon, choice.label);
  if (typeof value === 'boolean') return value ? t(ctx, 'Yes') : t(ctx, 'No');
  return value instanceof Date ? value.toISOString().slice(0, 16).replace('T', ' ') : String(value);
}
