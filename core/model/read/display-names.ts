import type { BoundModel } from '../compiled.ts';
import type { Id, Ids } from '../fields.ts';
import { rowsById } from './complete.ts';

/**
 * Names of those of the records that the reader sees: what their naming field holds, the name of the record it leads to where it is a relation, else
 * the id; see `Model.displayNames`.
 */
export async function displayNamesOf(bound: BoundModel, ids: Ids): Promise<Map<Id, string>> {
  const { nameField } = bound.compiled;
  const wanted = nameField?.relation?.kind === 'many2one' ? ({ display_name: true } as const) : true;
  const rows = await rowsById(bound, ids, nameField ? { [nameField.name]: wanted } : {});
  return new Map([...rows.values()].map((row) => [row.id, nameOf(nameField ? row[nameField.name] : null, row.id)]));
}

function nameOf(held: unknown, id: Id): string {
  const value = typeof held === 'object' && held !== null && 'display_name' in held ? held.display_name : held;
  return value === null || value === undefined || value === '' ? String(id) : String(value);
}
