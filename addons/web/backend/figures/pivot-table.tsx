import { t } from 'pergola/browser';
import { useState } from 'react';
import { formatNumber, formatOptions } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { useStart } from '../lib/start.tsx';
import type { ModelInfo } from '../types.ts';
import { measureAmounts, measureLabel, measureTexts } from './measures.ts';
import { NO_PATH, type PivotCells, type PivotHead, sortedRows } from './pivot-cells.ts';

/** Browsers draw this many columns without a noticeable delay. */
const MAX_COLUMNS = 60;
const MAX_ROWS = 300;

interface Sort {
  readonly column: string;
  readonly measure: string;
  readonly descending: boolean;
}

/** Pivot table: rows as a tree, columns with totals. Each number leads to its records. */
export function PivotTable({
  info,
  cells,
  rows,
  head,
  across,
  measures,
  closed,
  onToggle,
  onOpen,
}: {
  info: ModelInfo;
  cells: PivotCells;
  rows: readonly PivotHead[];
  /** Labels of the row and column groupings. */
  head: string;
  across: string;
  measures: readonly string[];
  closed: ReadonlySet<string>;
  onToggle(path: string): void;
  onOpen(row: PivotHead | null, column: PivotHead | null): void;
}) {
  const [sort, setSort] = useState<Sort | null>(null);
  const [rowLimit, setRowLimit] = useState(MAX_ROWS);
  const amountOf = (row: PivotHead): number => {
    const group = sort && cells.at(row.path, sort.column);
    return group ? (measureAmounts(group, sort.measure, info)[0]?.value ?? 0) : 0;
  };
  const sorted = sort && rows.length > 0 ? sortedRows(rows, amountOf, sort.descending) : rows;
  const columns: readonly (PivotHead | null)[] = [...cells.columns.slice(0, MAX_COLUMNS), null];
  const hasColumns = cells.columns.length > 0;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: makes the scrollable area reachable by keyboard
    <section className="figures-table-place pivot-place" tabIndex={0} aria-label={t('Pivot table')}>
      <table className="table table-sm figures-table" data-slot="pivot-table">
        <caption className="visually-hidden">{[head, across].filter(Boolean).join(' × ')}</caption>
        <thead>
          {hasColumns && (
            <tr>
              <th scope="col" rowSpan={2} className="figures-fixed top pivot-side">
                {head}
              </th>
              {columns.map((column) => (
                <th
                  key={column?.path ?? 'total'}
                  scope="colgroup"
                  colSpan={measures.length}
                  className="figures-fixed top pivot-column"
                >
                  {column?.label ?? t('Total')}
                </th>
              ))}
            </tr>
          )}
          <tr>
            {!hasColumns && (
              <th scope="col" className="figures-fixed top pivot-side">
                {head}
              </th>
            )}
            {columns.flatMap((column) =>
              measures.map((measure) => (
                <SortHead
                  key={`${column?.path} ${measure}`}
                  label={measureLabel(measure, info)}
                  column={column?.path ?? NO_PATH}
                  measure={measure}
                  sort={sort}
                  isBelow={hasColumns}
                  onSort={setSort}
                />
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, rowLimit).map((row) => (
            <tr key={row.path}>
              <th
                scope="row"
                className={`pivot-side${row.depth === 0 ? ' top-row' : ''}`}
                style={{ paddingInlineStart: `${0.6 + row.depth * 1.4}rem` }}
              >
                {row.hasBelow ? (
                  <button
                    type="button"
                    className="figures-open pivot-toggle"
                    aria-expanded={!closed.has(row.path)}
                    onClick={() => onToggle(row.path)}
                  >
                    <Icon name={closed.has(row.path) ? 'caret-right-fill' : 'caret-down-fill'} /> {row.label}
                  </button>
                ) : (
                  row.label
                )}
              </th>
              <Numbers info={info} cells={cells} row={row} columns={columns} measures={measures} onOpen={onOpen} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className="figures-fixed foot pivot-side">
              {t('Total')}
            </th>
            <Numbers info={info} cells={cells} row={null} columns={columns} measures={measures} onOpen={onOpen} />
          </tr>
        </tfoot>
      </table>
      {sorted.length > rowLimit && (
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary m-2"
          onClick={() => setRowLimit(rowLimit + MAX_ROWS)}
        >
          {t('Show more ({n} left)', { n: formatNumber(sorted.length - rowLimit) })}
        </button>
      )}
      {cells.columns.length > MAX_COLUMNS && (
        <p className="form-text m-2">
          {t('{n} of {total} shown.', { n: formatNumber(MAX_COLUMNS), total: formatNumber(cells.columns.length) })}
        </p>
      )}
    </section>
  );
}

function SortHead({
  label,
  column,
  measure,
  sort,
  isBelow,
  onSort,
}: {
  label: string;
  column: string;
  measure: string;
  sort: Sort | null;
  /** Whether it is below the column labels. */
  isBelow: boolean;
  onSort(sort: Sort | null): void;
}) {
  const isSorted = sort?.column === column && sort.measure === measure;
  const next = isSorted
    ? sort.descending
      ? { column, measure, descending: false }
      : null
    : { column, measure, descending: true };
  return (
    <th
      scope="col"
      className={`figures-fixed ${isBelow ? 'below-top' : 'top'} backend-number`}
      aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className="backend-sort" onClick={() => onSort(next)}>
        <span>{label}</span>
        {isSorted && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} />}
      </button>
    </th>
  );
}

function Numbers({
  info,
  cells,
  row,
  columns,
  measures,
  onOpen,
}: {
  info: ModelInfo;
  cells: PivotCells;
  row: PivotHead | null;
  columns: readonly (PivotHead | null)[];
  measures: readonly string[];
  onOpen(row: PivotHead | null, column: PivotHead | null): void;
}) {
  const formats = formatOptions(useStart());
  return columns.flatMap((column) =>
    measures.map((measure) => {
      const group = cells.at(row?.path ?? NO_PATH, column?.path ?? NO_PATH);
      const texts = group ? measureTexts(group, measure, info, formats) : [];
      return (
        <td key={`${column?.path} ${measure}`} className={`backend-number${row ? '' : ' figures-fixed foot'}`}>
          {texts.length > 0 && (
            <button type="button" className="figures-open" onClick={() => onOpen(row, column)}>
              {texts.map((text) => (
                <span key={text} className="d-block">
                  {text}
                </span>
              ))}
            </button>
          )}
        </td>
      );
    }),
  );
}
