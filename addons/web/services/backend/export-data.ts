import { type Ctx, InvalidInput } from 'pergola';
import { callModel } from '../rpc/call.ts';
import { externalIds } from '../rpc/external-ids.ts';

/** Arguments of `export_data` as sent by Odoo's clients. */
export interface ExportedFields {
  readonly model: string;
  readonly ids: readonly number[];
  /** Paths: `name`, `.id`, `id` (external id), `country_id`, `country_id/code`. */
  readonly fields: readonly string[];
}

type Cell = string | number | boolean;
interface Field {
  readonly type: string;
  readonly relation?: string;
  readonly selection?: readonly (readonly [string, string])[];
}

/** Returns a row of values for each record, in the order of the ids. Empty values are empty texts, as in Odoo. */
export async function exportData(ctx: Ctx, { model, ids, fields }: ExportedFields): Promise<Cell[][]> {
  const columns: (readonly Cell[])[] = [];
  for (const path of fields) columns.push(await columnOf(ctx, model, ids, path.split('/')));
  return ids.map((_, row) => columns.map((column) => column[row] ?? ''));
}

async function columnOf(ctx: Ctx, model: string, ids: readonly number[], path: readonly string[]): Promise<Cell[]> {
  const [name = '', ...rest] = path;
  const unique = [...new Set(ids)];
  const call = (method: string, args: unknown[]) => callModel(ctx, { model, method, args, kwargs: {} });
  const isNumber = name === '.id' || name === 'id';
  const rows = (await call('read', [unique, [isNumber ? 'id' : name]])) as Record<string, unknown>[];
  if (name === '.id') return ids.map(Number);
  if (name === 'id') {
    const external = await externalIds(ctx, model, unique);
    return ids.map((id) => external.get(id)?.[0]?.name ?? '');
  }
  const described = (await call('fields_get', [[name], ['type', 'relation', 'selection']])) as Record<string, Field>;
  const field = described[name];
  if (!field || (rest.length > 0 && !field.relation))
    throw new InvalidInput('Unknown field “{field}”. Choose another one to export.', {
      code: 'web.export_field',
      params: { field: path.join('/').slice(0, 60) },
    });
  const values = new Map(rows.map((row) => [Number(row.id), row[name]]));
  if (!field.relation) return ids.map((id) => cellOf(values.get(id), field));
  const targets = [...new Set(rows.flatMap((row) => idsOf(row[name])))];
  const texts = await textsOf(ctx, field.relation, targets, rest);
  return ids.map((id) => {
    const targetTexts = idsOf(values.get(id)).map((target) => texts.get(target) ?? '');
    return targetTexts.length === 1 ? (targetTexts[0] ?? '') : targetTexts.join(',');
  });
}

/** Returns the texts of related records: their names, or the values at the end of a path. */
async function textsOf(
  ctx: Ctx,
  model: string,
  ids: readonly number[],
  path: readonly string[],
): Promise<ReadonlyMap<number, Cell>> {
  if (ids.length === 0) return new Map();
  if (path.length > 0) {
    const cells = await columnOf(ctx, model, ids, path);
    return new Map(ids.map((id, index) => [id, cells[index] ?? '']));
  }
  const names = await callModel(ctx, { model, method: 'name_get', args: [ids], kwargs: {} });
  return new Map(names as [number, string][]);
}

/** Returns the ids of a relation: from `[id, name]`, a list of ids, or false. */
function idsOf(value: unknown): number[] {
  if (!Array.isArray(value)) return [];
  return typeof value[1] === 'string' ? [Number(value[0])] : value.map(Number);
}

function cellOf(value: unknown, { type, selection = [] }: Field): Cell {
  if (type === 'boolean') return value === true;
  if (value === false || value === null || value === undefined) return '';
  if (type === 'selection') return selection.find(([key]) => key === value)?.[1] ?? String(value);
  return typeof value === 'number' ? value : typeof value === 'string' ? value : JSON.stringify(value);
}
