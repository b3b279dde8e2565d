import type { Ctx } from 'pergola';
import { isZone } from '../../../backend/lib/zone.ts';
import type { FieldInfo } from '../../../backend/types.ts';
import { type FileRow, storedValue } from './row-values.ts';

/**
 * Returns the context in the time zone for a field's times: the declared one, taken from the row, else from the record it updates, else
 * from the defaults of new records. Unchanged if the field declares none.
 */
export async function inRowZone(ctx: Ctx, field: FieldInfo, row: FileRow): Promise<Ctx> {
  const timezone = await rowZone(ctx, field, row);
  return timezone === undefined ? ctx : ctx.as({ timezone });
}

async function rowZone(ctx: Ctx, { timezoneField: name }: FieldInfo, row: FileRow): Promise<string | undefined> {
  if (name === null) return undefined;
  if (name === '@site') return ctx.siteTimezone;
  const cellText = row.cell(name);
  const zone = cellText || (await storedValue(ctx, name, row));
  return typeof zone === 'string' && isZone(zone) ? zone : undefined;
}
