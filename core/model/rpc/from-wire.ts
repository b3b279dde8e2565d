import { mayUseField } from '../access/rights.ts';
import { bindOther } from '../bind.ts';
import type { BoundModel, CompiledField } from '../compiled.ts';
import { decimal } from '../decimal.ts';
import { type CurrencyUnits, toMinor } from '../money.ts';
import type { AnyValues } from '../record-model.ts';
import { FieldProblem, Problems } from '../write/problems.ts';
import { type Call, onModel } from './call-context.ts';
import { withoutNoise } from './numbers.ts';
import { fileRefOf } from './uploads.ts';
import { isCommandList, wireCommands } from './wire-commands.ts';

/** Answers in which currency the amounts of a money field of the record are given. */
export type UnitsOf = (field: CompiledField) => Promise<CurrencyUnits>;

/**
 * Values from outside as `create` and `write` take them. Only fields that the caller may know of and that forms may change are let through;
 * all others are refused in the same words, whether they exist or not.
 *
 * @throws InvalidInput with a text per field, FieldProblem for what is no object.
 */
export async function valuesFromWire(call: Call, raw: unknown, unitsOf: UnitsOf): Promise<AnyValues> {
  const { bound } = call;
  if (!isPlainObject(raw)) throw new FieldProblem('The values of a record are an object.');
  const problems = new Problems(bound.ctx, bound.compiled);
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    try {
      const field = fieldFor(bound, name);
      values[field.name] = await valueFromWire(call, field, value, raw, unitsOf);
    } catch (error) {
      problems.takeOver(name.slice(0, 64), error);
    }
  }
  problems.throwIfAny();
  return values;
}

/** A field that a caller may write. Throws FieldProblem. */
export function fieldFor({ ctx, compiled }: BoundModel, name: string): CompiledField {
  const field = compiled.fields.get(name);
  if (!field || field.secret || !mayUseField(ctx, field)) {
    const { elsewhere = {} } = compiled.options;
    throw new FieldProblem(
      (Object.hasOwn(elsewhere, name) ? elsewhere[name]?.help : undefined) ?? 'There is no such field.',
    );
  }
  if (!isWritable(field)) throw new FieldProblem('This cannot be changed from outside.');
  return field;
}

/** Whether forms and calls may change a field, as far as the field is concerned. */
export function isWritable({ base, compute, related, options, secret }: CompiledField): boolean {
  return !base && !compute && (!related || options.writable === true) && !secret && options.readonly !== true;
}

async function valueFromWire(
  call: Call,
  field: CompiledField,
  value: unknown,
  record: unknown,
  unitsOf: UnitsOf,
): Promise<unknown> {
  // Odoo's clients write false for nothing.
  if (value === null || value === undefined || value === false) return field.type === 'boolean' ? false : null;
  switch (field.type) {
    case 'many2one':
      return Array.isArray(value) && value.length === 2 && typeof value[0] === 'number' ? value[0] : value;
    case 'money':
      return amountFromWire(value, await unitsOf(field));
    case 'decimal':
      return withoutNoise(value);
    case 'datetime':
      return momentFromWire(value);
    case 'binary':
    case 'image':
      return fileRefOf(value);
    case 'one2many':
    case 'many2many': {
      if (!isCommandList(value)) throw new FieldProblem('This is neither a list of records nor a list of commands.');
      const lines = onModel(call, bindOther(call.bound, field.relation?.to ?? ''));
      return wireCommands(lines, field, value, { values: record, unitsOf });
    }
    case 'char':
    case 'text':
    case 'html':
      // `{ lang: text }` is for code; callers say the language in the context.
      if (typeof value !== 'string') throw new FieldProblem('This is not a text.');
      return value;
    default:
      return value;
  }
}

/** An amount in major units; more digits than the currency has are nobody's price. */
function amountFromWire(value: unknown, { digits }: CurrencyUnits): number {
  const amount = decimal(withoutNoise(value));
  if (amount.places() > digits) {
    throw new FieldProblem('This amount has too many digits after the point: at most {digits}.', { digits });
  }
  return toMinor(amount, { digits });
}

/** `2026-11-21 10:00:00` in UTC, a day alone (its beginning), or ISO with a zone. */
function momentFromWire(value: unknown): Date {
  const match =
    typeof value === 'string' &&
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(value);
  if (!match) throw new FieldProblem('This is not a date and time.');
  const [, day, time = '00:00:00', zone = 'Z'] = match;
  const moment = new Date(`${day}T${time}${zone}`);
  if (Number.isNaN(moment.getTime())) throw new FieldProblem('This is not a date and time.');
  return moment;
}

/** An object as JSON makes them. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
