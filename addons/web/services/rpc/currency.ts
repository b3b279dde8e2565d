import type { CurrencyUnits, Id } from 'pergola';
import { type BoundModel, bindOther, bindSudo, type CompiledField, noCurrency } from 'pergola/orm';

/** The fields of a currency's model by which amounts are counted: digits after the point, and the rounding step. */
const digitsField = 'decimal_places';
const stepField = 'rounding';

/** Currencies as amounts are counted in, by model and id; asked for once per call. */
export class Currencies {
  readonly #known = new Map<string, Map<Id, CurrencyUnits>>();

  /** The units of currencies. How a currency counts is no secret, whoever may see the record. */
  async units(currencies: BoundModel, ids: readonly Id[]): Promise<ReadonlyMap<Id, CurrencyUnits>> {
    const { name, fields } = currencies.compiled;
    const known = this.#known.get(name) ?? new Map<Id, CurrencyUnits>();
    this.#known.set(name, known);
    const asked = [...new Set(ids)].filter((id) => !known.has(id));
    if (asked.length === 0 || !fields.has(digitsField)) return known;
    const names = fields.has(stepField) ? [digitsField, stepField] : [digitsField];
    const select = Object.fromEntries(names.map((field) => [field, true as const]));
    for (const row of await bindSudo(currencies).self.read(asked, { select })) {
      const step = row[stepField];
      known.set(row.id, { digits: Number(row[digitsField]), rounding: typeof step === 'string' ? step : null });
    }
    return known;
  }

  /** The units each record's amounts of a money field are in. */
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

  /** The numbers of digits that any currency of a model has. */
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

/** The path from a record to the digits of a money field's currency; null when its currency does not say. */
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

/** The many2one that says what a money field's amounts are in. */
export function currencyField({ compiled }: BoundModel, field: CompiledField): CompiledField | undefined {
  return compiled.fields.get(field.options.currency ?? 'currency_id');
}

function asId(value: unknown): Id | undefined {
  return typeof value === 'number' ? value : undefined;
}
