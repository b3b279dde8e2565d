import { InvalidInput } from 'pergola';
import type { ExportCell, ExportTable } from './export.ts';
import { guarded } from './formula-guard.ts';

/**
 * Converts the table to CSV (RFC 4180) with a byte order mark that identifies UTF-8. Escapes texts that spreadsheets would interpret as
 * formulas.
 */
export function toCsv({ headers, rows }: ExportTable): Buffer {
  const lines = [headers, ...rows].map((row) => row.map(csvCell).join(','));
  return Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`);
}

function csvCell(cell: ExportCell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' ? guarded(cell) : typeof cell === 'number' ? plainNumber(cell) : String(cell);
  return /[",\r\n;]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Formats a number in plain notation. Writes 1.234 as 1.2340, because imports would have to ask whether the separator marks thousands or
 * decimals.
 */
function plainNumber(number: number): string {
  const text = number.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** Maximum length of text in a spreadsheet cell. */
const MAX_TEXT = 32_767;

/**
 * Converts the table to a spreadsheet. Texts stay texts, whatever they start with.
 *
 * @throws InvalidInput for a text that doesn't fit into a cell
 */
export async function toXlsx({ headers, rows }: ExportTable): Promise<Buffer> {
  // Imported on demand, because most servers never write a spreadsheet.
  const { default: write } = await import('write-excel-file/node');
  const head = headers.map((value) => ({ value, type: String, fontWeight: 'bold' as const }));
  const body = rows.map((row) => row.map(sheetCell));
  return write([head, ...body], { stickyRowsCount: 1 }).toBuffer();
}

function sheetCell(cell: ExportCell) {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'number') return { value: cell, type: Number };
  if (typeof cell === 'boolean') return { value: cell, type: Boolean };
  if (cell.length > MAX_TEXT)
    throw new InvalidInput('A text is too long for a spreadsheet. Export as CSV instead.', { code: 'web.export_text' });
  return { value: cell, type: String };
}
