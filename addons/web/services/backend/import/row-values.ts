import type { Ctx, Id } from 'pergola';
import { holds } from 'pergola/orm';
import type { FieldInfo, ModelInfo } from '../../../backend/types.ts';
import { callModel } from '../../rpc/call.ts';

/** A row of a file, as far as reading one cell depends on others. */
export interface FileRow {
  readonly info: ModelInfo;
  /** Record that the row updates, or null. */
  readonly id: Id | null;
  /** Returns the text of the row's cell for a field, or null if the file has no such column. */
  cell(field: string): string | null;
}

/** Returns a field's value without the file: the record's current value, or the default of a new record. */
export async function storedValue(ctx: Ctx, name: string, { info, id }: FileRow): Promise<unknown> {
  const call = (method: string, args: unknown[]) => callModel(ctx, { model: info.name, method, args, kwargs: {} });
  const stored =
    id === null ? await call('default_get', [[name]]) : ((await call('read', [[id], [name]])) as unknown[])[0];
  return typeof stored === 'object' && stored !== null ? Reflect.get(stored, name) : undefined;
}

/** Returns the field as it applies to the row's record: it may hold percentages for some records and amounts for others. */
export async function fieldInRow(ctx: Ctx, field: FieldInfo, row: FileRow): Promise<FieldInfo> {
  const { percentageWhen: condition } = field;
  if (!condition) return field;
  const values: Record<string, unknown> = {};
  for (const term of condition)
    if (Array.isArray(term)) values[String(term[0])] = await choiceIn(ctx, String(term[0]), row);
  const isShare = holds(condition as Parameters<typeof holds>[0], values);
  return isShare ? field : { ...field, percentage: null };
}

/** Returns the value of a selection in the row. */
async function choiceIn(ctx: Ctx, name: string, row: FileRow): Promise<unknown> {
  const text = row.cell(name)?.trim().toLowerCase() ?? '';
  const selectedChoice = row.info.fields[name]?.selection.find((choice) =>
    choice.some((label) => label.toLowerCase() === text),
  );
  return selectedChoice ? selectedChoice[0] : storedValue(ctx, name, row);
}
