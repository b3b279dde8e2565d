import { NotFound } from '@pergola/core';
import { ownText } from '@pergola/texts';
import type { BoundModel } from '../compiled.ts';
import type { Id } from '../fields.ts';
import { readRecords } from './complete.ts';
import type { PlainRow, SelectSpec } from './select.ts';

/**
 * Returns one record; see `Model.get`.
 *
 * @throws NotFound (`core.no_record`), the same for missing and hidden records
 */
export async function needRecord(bound: BoundModel, id: Id, select: SelectSpec): Promise<PlainRow> {
  const [row] = await readRecords(bound, [id], select);
  if (row) return row;
  throw noRecord(bound, id);
}

/** Error for a record that is missing or hidden. */
export function noRecord({ ctx, compiled }: BoundModel, id: Id): NotFound {
  return new NotFound('“{label}” {id} doesn’t exist, or you don’t have access to it.', {
    code: 'core.no_record',
    params: { label: ownText(ctx, compiled.addon, compiled.label), id },
  });
}
