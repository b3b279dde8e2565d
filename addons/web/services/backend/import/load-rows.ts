import { type Ctx, errorText, InvalidInput } from 'pergola';
import { modelInfo } from '../model-info.ts';
import { importRows } from './run.ts';

/** A table in the format of `load`, as sent by Odoo's clients. */
export interface LoadedTable {
  readonly model: string;
  /** `name`, `country_id`, `country_id/id`, `.id` … */
  readonly fields: readonly string[];
  /** Empty cells are false, null or an empty text. */
  readonly data: readonly (readonly (string | number | boolean | null)[])[];
}

/** Error in a row, in Odoo's format. */
interface LoadMessage {
  readonly type: 'error';
  readonly record: number;
  readonly rows: { readonly from: number; readonly to: number };
  readonly field: string | false;
  readonly message: string;
}

/** Creates and updates the records of a table, all or nothing. On errors, `ids` is false and the messages contain the problems. */
export async function loadRows(
  ctx: Ctx,
  { model, fields, data }: LoadedTable,
): Promise<{ ids: readonly number[] | false; messages: readonly LoadMessage[]; nextrow: 0 }> {
  const info = modelInfo(ctx, model);
  if (!info) throw new InvalidInput('Unknown model “{model}”.', { code: 'core.no_model', params: { model } });
  const sheet = {
    headers: fields,
    rows: data.map((row) => fields.map((_, index) => cellOf(row[index]))),
    lines: data.map((_, index) => index),
    source: { encoding: null, delimiter: null, sheets: [], sheet: 0, headerRow: 0, top: [] },
  };
  try {
    const {
      kept: isKept,
      errors,
      ids,
    } = await importRows(ctx, {
      info,
      sheet,
      mapping: fields,
      writing: [],
      makeMissing: false,
      skipFaulty: false,
      dryRun: false,
      isConfirmed: true,
    });
    const messages = errors.map(({ line, column, message }) => messageOf(line, column || false, message));
    return { ids: isKept ? ids : false, messages, nextrow: 0 };
  } catch (error) {
    // An unknown column, or two columns for one field.
    if (!(error instanceof InvalidInput)) throw error;
    return { ids: false, messages: [messageOf(0, false, errorText(ctx, error))], nextrow: 0 };
  }
}

function cellOf(value: string | number | boolean | null | undefined): string | number | boolean | null {
  return value === undefined || value === false ? null : value;
}

function messageOf(record: number, field: string | false, message: string): LoadMessage {
  return { type: 'error', record, rows: { from: record, to: record }, field, message };
}
