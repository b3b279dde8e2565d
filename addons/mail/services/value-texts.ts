import { Currency } from '@pergola/base';
import { callModel } from '@pergola/web';
import { type Ctx, fromMinor, type Id, type Ids } from 'pergola';
import { t } from '../texts.ts';

/** Display metadata of a field the caller can access. */
export interface ShownField {
  readonly type: string;
  readonly string: string;
  readonly readonly: boolean;
  readonly relation?: string;
  readonly selection?: readonly (readonly [value: string, label: string])[];
  readonly currency_field?: string;
  readonly timezone_field?: string;
}

/** Fields of a model that the caller can read, by name. */
export async function shownFields(ctx: Ctx, model: string): Promise<ReadonlyMap<string, ShownField>> {
  const fields = await callModel(ctx, { model, method: 'fields_get', args: [], kwargs: {} });
  return new Map(Object.entries(fields as Readonly<Record<string, ShownField>>));
}

/** Formats stored values for display; shows names of records only if the caller can read them. */
export interface ValueTexts {
  /** Formats a value; empty without a value. Dates are returned in ISO format, for the reader's time zone. */
  text(field: ShownField, value: unknown): string;
}

/** A stored value with its field. */
export interface KeptValue {
  readonly field: ShownField;
  readonly value: unknown;
}

/** Reads the names of all referenced records, model by model. `currency` belongs to the record. */
export async function valueTexts(ctx: Ctx, values: readonly KeptValue[], currency: Id | null): Promise<ValueTexts> {
  const idsByModel = new Map<string, Set<Id>>();
  for (const { field, value } of values) {
    if (!field.relation) continue;
    const ids = idsByModel.get(field.relation) ?? new Set<Id>();
    for (const id of idsOf(value)) ids.add(id);
    idsByModel.set(field.relation, ids);
  }
  const names = new Map<string, ReadonlyMap<Id, string>>();
  for (const [model, ids] of idsByModel) names.set(model, await namesOf(ctx, model, [...ids]));
  const units = await currencyUnits(ctx, currency);
  return {
    text: (field, value) => {
      if (value === null || value === undefined || value === '') return '';
      const recordNames = field.relation ? names.get(field.relation) : undefined;
      if (field.relation)
        return idsOf(value)
          .map((id) => recordNames?.get(id) ?? `#${id}`)
          .join(', ');
      return plainText(ctx, field, value, units);
    },
  };
}

function plainText(ctx: Ctx, field: ShownField, value: unknown, units: Units): string {
  switch (field.type) {
    case 'boolean':
      return value === true ? t(ctx, 'Yes') : t(ctx, 'No');
    case 'selection':
      return field.selection?.find(([option]) => option === value)?.[1] ?? String(value);
    case 'monetary':
      return typeof value === 'number' ? `${fromMinor(value, units)} ${units.name}`.trim() : String(value);
    case 'html':
      return perLanguage(ctx, value)
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim();
    case 'binary':
      return t(ctx, 'A file');
    default:
      return perLanguage(ctx, value);
  }
}

/** Translated fields are stored as one text per language. */
function perLanguage(ctx: Ctx, value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const texts = value as Readonly<Record<string, unknown>>;
  const text = texts[ctx.lang] ?? Object.values(texts)[0];
  return typeof text === 'string' ? text : JSON.stringify(value);
}

function idsOf(value: unknown): Ids {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((id): id is Id => typeof id === 'number' && id > 0);
}

async function namesOf(ctx: Ctx, model: string, ids: Ids): Promise<ReadonlyMap<Id, string>> {
  try {
    const bound = ctx.modelNamed(model);
    return await bound.displayNames(await bound.allowed(ids, 'read'));
  } catch {
    // Its addon is disabled, or the caller has no access to the model.
    return new Map();
  }
}

interface Units {
  readonly digits: number;
  readonly name: string;
}

async function currencyUnits(ctx: Ctx, currency: Id | null): Promise<Units> {
  const [row] =
    currency === null
      ? []
      : await ctx.model(Currency).read([currency], { select: { name: true, decimal_places: true } });
  return row ? { digits: row.decimal_places ?? 2, name: row.name } : { digits: 2, name: '' };
}
