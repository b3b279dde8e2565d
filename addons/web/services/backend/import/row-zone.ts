import type { Ctx, Id } from '#core';
import { isZone } from '../../../backend/lib/zone.ts';
import type { FieldInfo } from '../../../backend/types.ts';
import { callModel } from '../../rpc/call.ts';

/** A line of a file, as far as zones go. */
interface ZonedRow {
  readonly model: string;
  /** The record that the line changes, or null. */
  readonly id: Id | null;
  /** Text of the line's cell for a field; null if the file has no such column. */
  cell(field: string): string | null;
}

/**
 * The context in the zone in which times of a field are read: the one the field declares, from the line itself, else of the record it changes, else
 * what new records get. Unchanged for a field that declares none.
 */
export async function inRowZone(ctx: Ctx, field: FieldInfo, row: ZonedRow): Promise<Ctx> {
  const timezone = await rowZone(ctx, field, row);
  return timezone === undefined ? ctx : ctx.as({ timezone });
}

async function rowZone(ctx: Ctx, { timezoneField: name }: FieldInfo, row: ZonedRow): Promise<string | undefined> {
  if (name === null) return undefined;
  if (name === '@site') return ctx.siteTimezone;
  const written = row.cell(name);
  const zone = written || (await storedZone(ctx, name, row));
  return typeof zone === 'string' && isZone(zone) ? zone : undefined;
}

async function storedZone(ctx: Ctx, name: string, { model, id }: ZonedRow): Promise<unknown> {
  const call = (method: string, args: unknown[]) => callModel(ctx, { model, method, args, kwargs: {} });
  const found =
    id === null ? await call('default_get', [[name]]) : ((await call('read', [[id], [name]])) as unknown[])[0];
  return typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
}
