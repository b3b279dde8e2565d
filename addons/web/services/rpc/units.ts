import type { Id } from 'pergola';
import { type BoundModel, bindOther, bindSudo, type CompiledField, defaultValues, noCurrency } from 'pergola/orm';
import type { Call } from './call-context.ts';
import { currencyField } from './currency.ts';
import type { Parent, UnitsOf } from './from-wire.ts';
import { isPlainObject } from './plain-object.ts';

/** A record being written: its id if it exists, and its new values. */
interface Incoming {
  readonly bound: BoundModel;
  readonly id: Id | null;
  readonly newValues: unknown;
}

/** Returns the currency units of a record's amounts: from the new values, else from the record, else from the defaults. */
export function unitsForRecord(call: Call, id: Id | null, newValues: unknown): UnitsOf {
  return unitsFor(call, { bound: call.bound, id, newValues });
}

/** Same for a line written through a field of another record, whose currency it may inherit. */
export function unitsForLine(
  lines: Call,
  field: CompiledField,
  id: Id | null,
  newValues: unknown,
  parent: Parent,
): UnitsOf {
  const { relation } = field;
  const incoming: Incoming = { bound: lines.bound, id, newValues };
  const lineUnits = unitsFor(lines, incoming);
  if (relation?.kind !== 'one2many') return lineUnits;
  return async (money) => {
    const currency = currencyField(lines.bound, money);
    const follows = currency?.related?.[0] === relation.inverse && currency.related.length === 2;
    // The line takes its currency from the parent record through which it is written.
    const twin = follows ? twinOf(lines, field, currency.related?.[1] ?? '') : null;
    return twin ? parent.unitsOf(twin) : lineUnits(money);
  };
}

/** Returns a money field of the parent with the same currency field, or creates one if the parent doesn't have any. */
function twinOf({ bound }: Call, field: CompiledField, currency: string): CompiledField | null {
  const parent = bound.registry.get(field.model);
  const moneyField = [...(parent?.fields.values() ?? [])].find(
    ({ type, options }) => type === 'money' && (options.currency ?? 'currency_id') === currency,
  );
  return moneyField ?? { ...field, type: 'money', options: { currency } };
}

function unitsFor(call: Call, incoming: Incoming): UnitsOf {
  return async (money) => {
    const { bound } = incoming;
    const currency = currencyField(bound, money);
    if (!currency?.relation) return noCurrency;
    const id = await incomingValue(incoming, currency);
    if (id === null) return noCurrency;
    return (await call.currencies.units(bindOther(bound, currency.relation.to), [id])).get(id) ?? noCurrency;
  };
}

async function incomingValue({ bound, id, newValues }: Incoming, field: CompiledField): Promise<Id | null> {
  const newValue = isPlainObject(newValues) && Object.hasOwn(newValues, field.name) ? newValues[field.name] : undefined;
  // An empty value of a field that the model fills in counts as missing.
  const isGiven = newValue !== undefined && !(field.options.filled && asId(newValue) === null);
  if (isGiven) return asId(newValue);
  if (id !== null) {
    const [row] = await bindSudo(bound).self.read([id], { select: { [field.name]: true } });
    return asId(row?.[field.name]);
  }
  if (field.related) return relatedOf(bound, field.related, newValues);
  return asId((await defaultValues(bound, [field.name], isPlainObject(newValues) ? newValues : {}))[field.name]);
}

/** Follows `order_id.currency_id` of a line whose order is among the new values. */
async function relatedOf(bound: BoundModel, path: readonly string[], newValues: unknown): Promise<Id | null> {
  const [first = '', ...rest] = path;
  const start = bound.compiled.fields.get(first);
  const id = start ? await incomingValue({ bound, id: null, newValues }, start) : null;
  if (id === null || !start?.relation) return null;
  let model: BoundModel = bindOther(bound, start.relation.to);
  let currentId: Id | null = id;
  for (const name of rest) {
    const field: CompiledField | undefined = model.compiled.fields.get(name);
    if (currentId === null || !field?.relation) return null;
    currentId = await incomingValue({ bound: model, id: currentId, newValues: null }, field);
    model = bindOther(model, field.relation.to);
  }
  return currentId;
}

function asId(value: unknown): Id | null {
  const id: unknown = Array.isArray(value) ? value[0] : value;
  return typeof id === 'number' && id > 0 ? id : null;
}
