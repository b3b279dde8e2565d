import { type Ctx, errorText, PergolaError } from 'pergola';
import { zoneName } from 'pergola/zones';
import type { FieldInfo, ModelInfo } from '../../../backend/types.ts';
import { t } from '../../../texts.ts';
import { callModel } from '../../rpc/call.ts';
import { previewCell } from './cells.ts';
import type { Writing } from './columns.ts';
import { currencyOf, currencyProblem } from './currencies.ts';
import type { Relations } from './relations.ts';
import { type FileRow, fieldInRow, storedValue } from './row-values.ts';
import { inRowZone } from './row-zone.ts';
import { knownRecord } from './run.ts';
import { type Cell, textOf } from './table.ts';
import type { Target } from './targets.ts';

/** A column of a file; without a target it is ignored. */
export interface PreviewColumn {
  readonly target: Target | null;
  readonly writing: Writing;
}

/** Readable value of a cell as it would be stored, and its problem. */
export interface ShownCell {
  readonly text: string;
  readonly problem: string | null;
}

/** Returns the cells of a row as they would be stored: related records by name, times with the time zone of the row's record. */
export async function previewLine(
  ctx: Ctx,
  { info, relations }: { readonly info: ModelInfo; readonly relations: Relations },
  cells: readonly Cell[],
  columns: readonly PreviewColumn[],
): Promise<ShownCell[]> {
  const row = {
    info,
    id: await recordOf(ctx, info, cells, columns),
    cell: (name: string) => {
      const index = columns.findIndex(({ target }) => target?.field?.name === name);
      return index < 0 ? null : textOf(cells[index] ?? null);
    },
  };
  const previewCells: ShownCell[] = [];
  for (const [index, { target, writing }] of columns.entries()) {
    const cell = cells[index] ?? null;
    const field = target?.field ? await fieldInRow(ctx, target.field, row) : null;
    if (target && field?.relation) previewCells.push(await relatedCell(ctx, { cell, field, target, relations }));
    else if (field?.timezoneField) {
      const local = await inRowZone(ctx, field, row);
      const { text, problem } = previewCell(local, cell, field, writing);
      const isNamed = text !== '' && problem === null && local.timezone !== ctx.timezone;
      const zone = isNamed ? ` (${zoneName(local.timezone, (source, params) => t(ctx, source, params))})` : '';
      previewCells.push({ text: text + zone, problem });
    } else {
      const { text, problem } = previewCell(ctx, cell, field, writing);
      const currencyProblem =
        field && problem === null ? await otherCurrency(ctx, { cell, field, row, relations }) : null;
      previewCells.push({ text: currencyProblem === null ? text : textOf(cell), problem: problem ?? currencyProblem });
    }
  }
  return previewCells;
}

/** Returns the problem of an amount in another currency than its record will have, or null. */
async function otherCurrency(
  ctx: Ctx,
  input: { cell: Cell; field: FieldInfo; row: FileRow; relations: Relations },
): Promise<string | null> {
  const { cell, field, row, relations } = input;
  if (currencyOf(cell) === null) return null;
  const name = field.currencyField ?? 'currency_id';
  const relation = row.info.fields[name];
  const text = row.cell(name) ?? '';
  try {
    const value =
      relation && text !== '' ? await relations.value(text, relation, 'name') : await storedValue(ctx, name, row);
    const id = Array.isArray(value) ? Number(value[0]) : typeof value === 'number' ? value : null;
    return relation && id === null ? null : await currencyProblem(ctx, cell, id);
  } catch (error) {
    // The currency's own cell reports the error.
    if (error instanceof PergolaError) return null;
    throw error;
  }
}

async function recordOf(
  ctx: Ctx,
  info: ModelInfo,
  row: readonly Cell[],
  columns: readonly PreviewColumn[],
): Promise<number | null> {
  const mapped = columns.flatMap(({ target }, index) => (target ? [{ index, target }] : []));
  try {
    const { id } = await knownRecord(ctx, info, { row, columns: mapped });
    const args = [id === null ? [] : [id]];
    const [existingId] = (await callModel(ctx, { model: info.name, method: 'exists', args, kwargs: {} })) as number[];
    return existingId ?? null;
  } catch (error) {
    if (error instanceof PergolaError) return null;
    throw error;
  }
}

/** Returns the names of the records named in a cell. Unknown names aren't an error, because the import can create these records. */
async function relatedCell(
  ctx: Ctx,
  input: { cell: Cell; field: FieldInfo; target: Target; relations: Relations },
): Promise<ShownCell> {
  const { cell, field, target, relations } = input;
  try {
    const value = await relations.value(cell, field, target.via);
    const ids =
      typeof value === 'number' ? [value] : Array.isArray(value) ? ((value[0] as unknown[])[2] as number[]) : [];
    if (ids.length === 0) return { text: '', problem: null };
    const model = field.relation ?? '';
    const names = await callModel(ctx, { model, method: 'name_get', args: [ids], kwargs: {} });
    return { text: (names as [number, string][]).map(([, name]) => name).join(', '), problem: null };
  } catch (error) {
    if (!(error instanceof PergolaError)) throw error;
    const isUnknownName = error.code === 'web.import_no_record' && target.via === 'name';
    return { text: textOf(cell), problem: isUnknownName ? null : errorText(ctx, error) };
  }
}
