import { companionsOf } from '../../lib/format.ts';
import type { FieldInfo, ModelInfo } from '../../types.ts';

const COLUMNS = 6;

/** Returns the columns of a table of lines: the view's columns, else the columns of the related model's list. */
export function columnsOf(
  info: ModelInfo,
  viewColumns: readonly string[] | null,
  parent: string | null,
): readonly FieldInfo[] {
  const columnNames =
    viewColumns ??
    info.list.columns
      .filter(({ optional }) => !optional)
      .map(({ field }) => field)
      .slice(0, COLUMNS);
  return columnNames.flatMap((name) => (name === parent ? [] : (info.fields[name] ?? [])));
}

/** Returns the fields to read for lines: their columns, plus currencies of amounts and time zones of moments. */
export function toRead(info: ModelInfo, columns: readonly FieldInfo[]): string[] {
  const fieldNames = [...columns.map(({ name }) => name), ...columns.flatMap(companionsOf)];
  return [...new Set(fieldNames)].filter((name) => Object.hasOwn(info.fields, name));
}
