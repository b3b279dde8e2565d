import { t } from 'pergola/browser';
import { addColumn, addRow, headColumn, headRow, removeColumn, removeRow, turnCaption } from '../dom/table.ts';
import type { Part } from '../options.ts';

/** Adds and removes rows and columns next to the active cell. */
export function TableTools({ part, cell }: { part: Part; cell: HTMLElement | null }) {
  const chosen = cell?.closest<HTMLTableCellElement>('td, th') ?? null;
  if (!chosen) return null;
  const tools: [string, (cell: HTMLTableCellElement) => void][] = [
    [t('Row above'), (one) => addRow(one, 'before')],
    [t('Row below'), (one) => addRow(one, 'after')],
    [t('Column before'), (one) => addColumn(one, 'before')],
    [t('Column after'), (one) => addColumn(one, 'after')],
    [t('Remove the row'), removeRow],
    [t('Remove the column'), removeColumn],
    [t('Row is a head'), headRow],
    [t('Column is a head'), headColumn],
    [t('Title of the table'), (one) => turnCaption(one, t('Title of the table'))],
  ];
  return (
    <div className="ed-table-tools">
      {tools.map(([label, work]) => (
        <button
          key={label}
          type="button"
          className="btn btn-sm btn-outline-secondary"
          onClick={() => part.change(() => work(chosen))}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
