import { InvalidInput } from 'pergola';
import type { ExportCell, ExportTable } from './export.ts';
import { guarded } from './formula-guard.ts';

/** The table as CSV (RFC 4180) with a mark that tells spreadsheets it is UTF-8. What they would take for a formula is told to be text. */
export function toCsv({ headers, rows }: ExportTable): Buffer {
  const lines = [headers, ...rows].map((row) => row.map(csvCell).join(','));
  return Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`);
}

function csvCell(cell: ExportCell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' ? guarded(cell) : typeof cell === 'number' ? plainNumber(cell) : String(cell);
  return /[",\r\n;]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A number in plain notation. Imports would ask whether 1.234 has thousands or decimals, so it is written 1.2340. */
function plainNumber(number: number): string {
  const text = number.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 });
  return /^-?[1-9]\d{0,2}\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** A spreadsheet cell holds this much text and no more. */
const MOST_TEXT = 32_767;

/**
 * The table as a spreadsheet; its texts are texts, whatever they begin with.
 *
 * @throws InvalidInput for a text that no cell holds
 */
export async function toXlsx({ headers, rows }: ExportTable): Promise<Buffer> {
  // Loaded when it is needed: most servers never write a spreadsheet.
  const { default: write } = await import('write-excel-file/node');
  const head = headers.map((value) => ({ value, type: String, fontWeight: 'bold' as const }));
  const body = rows.map((row) => row.map(sheetCell));
  return write([head, ...body], { stickyRowsCount: 1 }).toBuffer();
}

function sheetCell(cell: ExportCell) {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'number') return { value: cell, type: Number };
  if (typeof cell === 'boolean') return { value: cell, type: Boolean };
  if (cell.length > MOST_TEXT)
    throw new InvalidInput('A text is too long for a spreadsheet. Export as CSV instead.', { code: 'web.export_text' });
  return { value: cell, type: String };
}
