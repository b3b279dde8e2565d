import type { CompiledField } from '../compiled.ts';
import type { Id } from '../fields.ts';
import { FieldProblem } from '../write/problems.ts';
import type { Call } from './call-context.ts';
import { type UnitsOf, valuesFromWire } from './from-wire.ts';
import { unitsForLine } from './units.ts';

/** Lines that one call may name for a field. */
const mostCommands = 2_000;

/** The record that lines are written through. */
export interface Parent {
  readonly values: unknown;
  readonly unitsOf: UnitsOf;
}

export function isCommandList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length <= mostCommands;
}

/**
 * Odoo's commands as ours: `(0, _, values)` creates, `(1, id, values)` changes, `(2, id)` deletes, `(3, id)` lets go, `(4, id)` links, `(5)`
 * empties, `(6, _, ids)` replaces. Plain ids replace, too.
 */
export async function wireCommands(
  lines: Call,
  field: CompiledField,
  list: readonly unknown[],
  parent: Parent,
): Promise<unknown[]> {
  if (list.every((item) => typeof item === 'number')) return [...list];
  const commands: unknown[] = [];
  for (const item of list) commands.push(await wireCommand(lines, field, item, parent));
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
  throw new FieldProblem('“{value}” is not a record.', { value: String(value).slice(0, 20) });
}
