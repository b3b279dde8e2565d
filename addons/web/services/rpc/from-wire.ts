import { type CurrencyUnits, decimal, type Id, toMinor } from 'pergola';
import {
  type AnyValues,
  type BoundModel,
  bindOther,
  type CompiledField,
  FieldProblem,
  isWritable,
  mayUseField,
  Problems,
} from 'pergola/orm';
import { type Call, onModel } from './call-context.ts';
import { fromText } from './from-text.ts';
import { withoutNoise } from './numbers.ts';
import { isPlainObject } from './plain-object.ts';
import { unitsForLine } from './units.ts';
import { fileRefOf } from './uploads.ts';

/** Returns the currency units of a money field of the record. */
export type UnitsOf = (field: CompiledField) => Promise<CurrencyUnits>;

/** Record through which lines are written. */
export interface Parent {
  readonly values: unknown;
  readonly unitsOf: UnitsOf;
}

/** Maximum number of line commands per field in one call. */
const maxCommands = 2_000;

/**
 * Converts external values for `create` and `write`. Accepts only visible and editable fields. All others get the same error, whether they
 * exist or not.
 *
 * @throws InvalidInput with a text per field; FieldProblem if the value isn't an object
 */
export async function valuesFromWire(call: Call, raw: unknown, unitsOf: UnitsOf): Promise<AnyValues> {
  const { bound } = call;
  if (!isPlainObject(raw)) throw new FieldProblem('Record values must be an object.');
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

/** Returns a field that the caller may write. Throws FieldProblem. */
export function fieldFor({ ctx, compiled }: BoundModel, name: string): CompiledField {
  const field = compiled.fields.get(name);
  if (!field || field.secret || !mayUseField(ctx, field)) {
    const { elsewhere: foreignFields = {} } = compiled.options;
    throw new FieldProblem(
      (Object.hasOwn(foreignFields, name) ? foreignFields[name]?.help : undefined) ?? 'Unknown field.',
    );
  }
  if (!isWritable(field)) throw new FieldProblem('This field can’t be changed through the API.');
  return field;
}

async function valueFromWire(
  call: Call,
  field: CompiledField,
  wireValue: unknown,
  record: unknown,
  unitsOf: UnitsOf,
): Promise<unknown> {
  const value = fromText(field, wireValue);
  // Odoo's clients send false for empty values.
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
      if (!isCommandList(value)) throw new FieldProblem('Expected a list of records or a list of commands.');
      const lines = onModel(call, bindOther(call.bound, field.relation?.to ?? ''));
      return wireCommands(lines, field, value, { values: record, unitsOf });
    }
    case 'char':
    case 'text':
    case 'html':
      // `{ lang: text }` is reserved for code; callers set the language in the context.
      if (typeof value !== 'string') throw new FieldProblem('Expected text.');
      return value;
    default:
      return value;
  }
}

/** Parses an amount in major units and refuses more decimals than the currency has. */
function amountFromWire(value: unknown, { digits }: CurrencyUnits): number {
  const amount = decimal(withoutNoise(value));
  if (amount.places() > digits) {
    throw new FieldProblem('This amount has too many decimals. Use at most {digits}.', { digits });
  }
  return toMinor(amount, { digits });
}

/** Parses `2026-11-21 10:00:00` in UTC, a day (its start), or ISO with a time zone. */
function momentFromWire(value: unknown): Date {
  const match =
    typeof value === 'string' &&
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(value);
  if (!match) throw new FieldProblem('Expected a date and time.');
  const [, day, time = '00:00:00', zone = 'Z'] = match;
  const moment = new Date(`${day}T${time}${zone}`);
  if (Number.isNaN(moment.getTime())) throw new FieldProblem('Expected a date and time.');
  return moment;
}

function isCommandList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= maxCommands;
}

/**
 * Converts Odoo's commands to Pergola's: `(0, _, values)` creates, `(1, id, values)` updates, `(2, id)` deletes, `(3, id)` unlinks, `(4,
 * id)` links, `(5)` unlinks all, `(6, _, ids)` replaces. Plain ids replace, too.
 */
async function wireCommands(
  lines: Call,
  field: CompiledField,
  list: readonly unknown[],
  parent: Parent,
): Promise<unknown[]> {
  if (list.every((item) => typeof item === 'number')) return [...list];
  const { ctx, compiled } = lines.bound;
  const problems = new Problems(ctx, compiled);
  const commands: unknown[] = [];
  for (const [place, item] of list.entries()) {
    try {
      commands.push(await wireCommand(lines, field, item, parent));
    } catch (error) {
      problems.takeOver(String(place), error);
    }
  }
  problems.throwIfAny();
  return commands;
}

async function wireCommand(lines: Call, field: CompiledField, item: unknown, parent: Parent): Promise<unknown> {
  if (!Array.isArray(item) || item.length === 0 || item.length > 3) {
    throw new FieldProblem('A command is a list like [0, 0, values] or [4, id].');
  }
  const [kind, id, subject]: unknown[] = item;
  switch (kind) {
    case 0:
      return { create: await valuesFromWire(lines, subject, unitsForLine(lines, field, null, subject, parent)) };
    case 1: {
      const units = unitsForLine(lines, field, idOf(id), subject, parent);
      return { update: idOf(id), values: await valuesFromWire(lines, subject, units) };
    }
    case 2:
      return { delete: idOf(id) };
    case 3:
      return { unlink: idOf(id) };
    case 4:
      return { link: idOf(id) };
    case 5:
      return { set: [] };
    case 6:
      if (!Array.isArray(subject)) throw new FieldProblem('[6, 0, ids] takes a list of records.');
      return { set: subject.map(idOf) };
    default:
      throw new FieldProblem('A command is a list like [0, 0, values] or [4, id].');
  }
}

function idOf(value: unknown): Id {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new FieldProblem('“{value}” isn’t a record.', { value: String(value).slice(0, 20) });
}
