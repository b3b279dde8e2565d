import { type Ctx, InvalidInput } from 'pergola';
import { Temporal } from 'temporal-polyfill';
import type { Domain, FieldInfo, ModelInfo } from '../../backend/types.ts';
import { t } from '../../texts.ts';
import { callModel } from '../rpc/call.ts';
import { fieldLabel } from './import/targets.ts';

export interface ExportOrder {
  readonly info: ModelInfo;
  readonly fields: readonly string[];
  readonly domain: Domain;
  readonly order: string;
  /** For reimport: ids of records, keys of choices, moments in UTC. */
  readonly forImport: boolean;
}

/** A cell of an export. */
export type ExportCell = string | number | boolean | null;

export interface ExportTable {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly ExportCell[])[];
}

const MAX_EXPORTED = 50_000;
const BATCH = 1_000;

/** Returns the matching records as a table. Reads in batches with the user's rights. */
export async function exportTable(ctx: Ctx, order: ExportOrder): Promise<ExportTable> {
  const { info, domain, forImport } = order;
  const fields = order.fields.map((name) => {
    const field = Object.hasOwn(info.fields, name) ? info.fields[name] : undefined;
    if (field && field.kind !== 'binary' && field.kind !== 'image') return field;
    throw new InvalidInput('Unknown field “{field}”. Choose another one to export.', {
      code: 'web.export_field',
      params: { field: name.slice(0, 60) },
    });
  });
  const count = Number(await callModel(ctx, { model: info.name, method: 'search_count', args: [domain], kwargs: {} }));
  if (count > MAX_EXPORTED)
    throw new InvalidInput('{n} records are too many for one file. Narrow the list down to {most}.', {
      code: 'web.export_too_many',
      params: { n: count, most: MAX_EXPORTED },
    });
  const rows: ExportCell[][] = [];
  for (let offset = 0; offset < count; offset += BATCH) {
    const records = await readBatch(ctx, order, fields, offset);
    const names = await namesFor(ctx, fields, records, forImport);
    for (const record of records) {
      const cells = fields.map((field) => cellOf(ctx, record[field.name], field, { forImport, names, record }));
      rows.push(forImport ? [Number(record.id), ...cells] : cells);
    }
  }
  const headers = fields.map((field) =>
    forImport ? `${field.name}${field.relation ? '/.id' : ''}` : fieldLabel(info, field, fields),
  );
  return { headers: forImport ? ['.id', ...headers] : headers, rows };
}

type Wire = Readonly<Record<string, unknown>>;

async function readBatch(ctx: Ctx, { info, domain, order }: ExportOrder, fields: readonly FieldInfo[], offset: number) {
  // Ends with the id, so that pages neither overlap nor leave gaps.
  const orderWithId = [order || 'id', ...(/\bid\b/.test(order) ? [] : ['id'])].join(', ');
  const kwargs = {
    domain,
    fields: fields.flatMap(({ name, timezoneField }) =>
      timezoneField?.startsWith('@') ? name : [name, timezoneField ?? []].flat(),
    ),
    order: orderWithId,
    limit: BATCH,
    offset,
  };
  return (await callModel(ctx, { model: info.name, method: 'search_read', args: [], kwargs })) as Wire[];
}

type Names = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** Returns the names of records in x2many fields, by field. */
async function namesFor(
  ctx: Ctx,
  fields: readonly FieldInfo[],
  records: readonly Wire[],
  forImport: boolean,
): Promise<Names> {
  const names = new Map<string, ReadonlyMap<number, string>>();
  for (const { name, kind, relation } of fields) {
    if ((kind !== 'many2many' && kind !== 'one2many') || !relation || forImport) continue;
    const ids = [
      ...new Set(records.flatMap((record) => (Array.isArray(record[name]) ? (record[name] as number[]) : []))),
    ];
    if (ids.length === 0) continue;
    const kwargs = {
      domain: [['id', 'in', ids], ...activeToo(ctx, relation)],
      fields: ['display_name'],
      limit: 10_000,
    };
    const rows = (await callModel(ctx, { model: relation, method: 'search_read', args: [], kwargs })) as Wire[];
    names.set(name, new Map(rows.map((row) => [Number(row.id), String(row.display_name)])));
  }
  return names;
}

function activeToo(ctx: Ctx, model: string): Domain {
  return Object.hasOwn(ctx.modelNamed(model).fields, 'active') ? [['active', 'in', [true, false]]] : [];
}

interface CellOptions {
  readonly forImport: boolean;
  readonly names: Names;
  readonly record: Wire;
}

function cellOf(ctx: Ctx, value: unknown, field: FieldInfo, options: CellOptions): ExportCell {
  if (value === null || value === undefined || (value === false && field.kind !== 'boolean')) return null;
  switch (field.kind) {
    case 'boolean':
      return options.forImport ? value === true : t(ctx, value === true ? 'Yes' : 'No');
    case 'integer':
    case 'float':
    case 'decimal':
    case 'money':
      return Number(value);
    case 'selection':
      return options.forImport ? String(value) : (field.selection.find(([key]) => key === value)?.[1] ?? String(value));
    case 'many2one':
      return Array.isArray(value) ? (options.forImport ? Number(value[0]) : String(value[1])) : String(value);
    case 'one2many':
    case 'many2many': {
      const ids = Array.isArray(value) ? (value as number[]) : [];
      if (options.forImport) return ids.join(',');
      return ids
        .map((id) => options.names.get(field.name)?.get(id) ?? '')
        .filter(Boolean)
        .map((name) => (/[,;"\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name))
        .join(', ');
    }
    case 'datetime': {
      const moment = `${String(value).replace(' ', 'T')}Z`;
      return options.forImport ? moment : momentText(ctx, new Date(moment), field, options.record);
    }
    case 'json':
      return JSON.stringify(value);
    default:
      return String(value);
  }
}

/**
 * Formats a moment so that spreadsheets can sort it, in the declared time zone of the field, else the user's: `2026-11-21 11:00:00`. Adds
 * the offset if the zone is the record's own.
 */
function momentText(ctx: Ctx, moment: Date, { timezoneField }: FieldInfo, record: Wire): string {
  const zoneValue = timezoneField ? record[timezoneField] : null;
  const zone = typeof zoneValue === 'string' ? zoneValue : timezoneField === '@site' ? ctx.siteTimezone : ctx.timezone;
  const local = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);
  const text = local.toString({ smallestUnit: 'second', timeZoneName: 'never', offset: zoneValue ? 'auto' : 'never' });
  return text.replace('T', ' ');
}
