import { t } from 'pergola/browser';
import { addColumn, addRow, headColumn, headRow, removeColumn, removeRow, toggleCaption } from '../dom/table.ts';
import type { Part } from '../options.ts';

/** Adds and removes rows and columns next to the active cell. */
export function TableTools({ part, cell }: { part: Part; cell: HTMLElement | null }) {
  const selectedCell = cell?.closest<HTMLTableCellElement>('td, th') ?? null;
  if (!selectedCell) return null;
  const tools: [string, (cell: HTMLTableCellElement) => void][] = [
    [t('Row above'), (tableCell) => addRow(tableCell, 'before')],
    [t('Row below'), (tableCell) => addRow(tableCell, 'after')],
    [t('Column before'), (tableCell) => addColumn(tableCell, 'before')],
    [t('Column after'), (tableCell) => addColumn(tableCell, 'after')],
    [t('Remove the row'), removeRow],
    [t('Remove the column'), removeColumn],
    [t('Row is a head'), headRow],
    [t('Column is a head'), headColumn],
    [t('Title of the table'), (tableCell) => toggleCaption(tableCell, t('Title of the table'))],
  ];
  return (
    <div className="ed-table-tools">
      {tools.map(([label, work]) => (
        <button
          key={label}
          type="button"
          className="btn btn-sm btn-outline-secondary"
          onClick={() => part.change(() => work(selectedCell))}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
