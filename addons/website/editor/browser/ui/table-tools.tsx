import { t } from 'pergola/browser';
import { addColumn, addRow, headColumn, headRow, removeColumn, removeRow, toggleCaption } from '../dom/table.ts';
import type { Part } from '../options.ts';

/** Adds and removes rows and columns next to the active cell. */
export function TableTools({ part, cell }: { part: Part; cell: HTMLElement | null }) {
  const selectedCell = cell?.closest<HTMLTableCellElement>('td, th') ?? null;
  if (!selectedCell) return null;
  const tools: [string, (cell: HTMLTableCellElement) => void][] = [
    [t('Insert row above'), (tableCell) => addRow(tableCell, 'before')],
    [t('Insert row below'), (tableCell) => addRow(tableCell, 'after')],
    [t('Insert column before'), (tableCell) => addColumn(tableCell, 'before')],
    [t('Insert column after'), (tableCell) => addColumn(tableCell, 'after')],
    [t('Delete row'), removeRow],
    [t('Delete column'), removeColumn],
    [t('Header row'), headRow],
    [t('Header column'), headColumn],
    [t('Table title'), (tableCell) => toggleCaption(tableCell, t('Table title'))],
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
