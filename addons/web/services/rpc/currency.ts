import type { CurrencyUnits, Id } from 'pergola';
import { type BoundModel, bindOther, bindSudo, type CompiledField, noCurrency } from 'pergola/orm';

/** Fields of the currency model that define how amounts are counted: number of decimals and rounding step. */
const digitsField = 'decimal_places';
const stepField = 'rounding';

/** Units of currencies by model and id, loaded once per call. */
export class Currencies {
  readonly #known = new Map<string, Map<Id, CurrencyUnits>>();

  /** Returns the units of currencies. They are public, even if the record isn't. */
  async units(currencies: BoundModel, ids: readonly Id[]): Promise<ReadonlyMap<Id, CurrencyUnits>> {
    const { name, fields } = currencies.compiled;
    const units = this.#known.get(name) ?? new Map<Id, CurrencyUnits>();
    this.#known.set(name, units);
    const missingIds = [...new Set(ids)].filter((id) => !units.has(id));
    if (missingIds.length === 0 || !fields.has(digitsField)) return units;
    const names = fields.has(stepField) ? [digitsField, stepField] : [digitsField];
    const select = Object.fromEntries(names.map((field) => [field, true as const]));
    for (const row of await bindSudo(currencies).self.read(missingIds, { select })) {
      const step = row[stepField];
      units.set(row.id, { digits: Number(row[digitsField]), rounding: typeof step === 'string' ? step : null });
    }
    return units;
  }

  /** Returns the units of a money field for each record. */
  async ofRecords(
    bound: BoundModel,
    field: CompiledField,
    ids: readonly Id[],
  ): Promise<ReadonlyMap<Id, CurrencyUnits>> {
    const currency = currencyField(bound, field);
    if (!currency?.relation) return new Map();
    const rows = await bindSudo(bound).self.read(ids, { select: { [currency.name]: true } });
    const units = await this.units(
      bindOther(bound, currency.relation.to),
      rows.flatMap((row) => asId(row[currency.name]) ?? []),
    );
    return new Map(rows.map((row) => [row.id, units.get(asId(row[currency.name]) ?? 0) ?? noCurrency]));
  }

  /** Returns the numbers of decimals used by the currencies of a model. */
  async allDigits(currencies: BoundModel): Promise<number[]> {
    if (!currencies.compiled.fields.get(digitsField)?.column) return [];
    const groups = await bindSudo(currencies).self.group([['id', '!=', 0], activeToo(currencies)].filter(Boolean), {
      by: [digitsField],
    });
    return groups.flatMap((group) => (typeof group[digitsField] === 'number' ? [group[digitsField]] : []));
  }
}

function activeToo({ compiled }: BoundModel): unknown {
  return compiled.activeField ? ['active', 'in', [true, false]] : null;
}

/** Returns the path from a record to the decimals of a money field's currency, or null if the currency doesn't define them. */
export function digitsPath(
  bound: BoundModel,
  field: CompiledField,
): { currency: CompiledField; digits: string } | null {
  const currency = currencyField(bound, field);
  const target = currency?.relation && bound.registry.get(currency.relation.to);
  return currency && target?.fields.get(digitsField)?.column
    ? { currency, digits: `${currency.name}.${digitsField}` }
    : null;
}

/** Returns the many2one with the currency of a money field. */
export function currencyField({ compiled }: BoundModel, field: CompiledField): CompiledField | undefined {
  return compiled.fields.get(field.options.currency ?? 'currency_id');
}

function asId(value: unknown): Id | undefined {
  return typeof value === 'number' ? value : undefined;
}
