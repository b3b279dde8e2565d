import type { BoundModel } from '../compiled.ts';
import type { Id, Ids } from '../fields.ts';
import { rowsById } from './find.ts';

/** Names of those of the records that the reader sees: what their naming field holds, else the id; see `Model.displayNames`. */
export async function displayNamesOf(bound: BoundModel, ids: Ids): Promise<Map<Id, string>> {
  const { nameField } = bound.compiled;
  const rows = await rowsById(bound, ids, nameField ? { [nameField.name]: true } : {});
  return new Map([...rows.values()].map((row) => [row.id, nameOf(nameField ? row[nameField.name] : null, row.id)]));
}

function nameOf(value: unknown, id: Id): string {
  return value === null || value === undefined || value === '' ? String(id) : String(value);
}
