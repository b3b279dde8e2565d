import type { BoundModel } from '../compiled.ts';
import type { Id, Ids } from '../fields.ts';
import type { AnyValues } from '../record-model.ts';
import { copyIn } from './copy.ts';
import { operate } from './operation.ts';
import { unlinkIn } from './unlink.ts';

export { defaultValues } from './defaults.ts';

/**
 * Creates records and answers their ids in the same order.
 *
 * All or nothing: defaults, rights, values, lines, computed fields and the model's own `validate` are all seen to before it ends.
 *
 * @throws InvalidInput with a text per field, NotAllowed for what access lists, field groups or record rules forbid, Conflict for what clashes
 * with other records. After any of them the transaction stands as before and may go on.
 */
export function createRecords(bound: BoundModel, values: readonly AnyValues[]): Promise<Id[]> {
  return operate(bound, 'create', (operation) => operation.create(bound, values));
}

/**
 * Writes the same values into each of the records. Translated fields take a text in the context's language or `{ lang: text }`, x2many fields
 * ids or commands.
 *
 * @throws as {@link createRecords}; NotFound for records that are not there or hidden from the caller.
 */
export function writeRecords(bound: BoundModel, ids: Ids, values: AnyValues): Promise<void> {
  return operate(bound, 'write', (operation) => operation.write(bound, ids, values));
}

/**
 * Deletes records with everything that belongs to them.
 *
 * @throws Conflict naming who still refers to one of them, also when that belongs to an addon that is disabled.
 */
export function unlinkRecords(bound: BoundModel, ids: Ids): Promise<void> {
  return operate(bound, 'unlink', (operation) => unlinkIn(operation, bound, ids));
}

/** Duplicates a record, with `values` over what is taken from it. Lines come along where their field says `copy`. */
export function copyRecord(bound: BoundModel, id: Id, values: AnyValues): Promise<Id> {
  return operate(bound, 'copy', (operation) => copyIn(operation, bound, id, values));
}
