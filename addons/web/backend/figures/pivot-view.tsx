import './figures.css';
import { useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useMemo } from 'react';
import { Icon } from '../lib/icon.tsx';
import { keys } from '../lib/queries.ts';
import type { PivotChoice } from '../list/list-state.ts';
import type { RecordsProps } from '../list/records-screen.tsx';
import { readGroups } from '../list/totals.ts';
import { groupByLabel } from '../search/describe.ts';
import { GroupMenu } from '../search/group-menu.tsx';
import { Waiting } from '../shell/waiting.tsx';
import type { ModelInfo } from '../types.ts';
import { ExportMenu, type ShownTable } from './export-menu.tsx';
import { conditionsOf, recordsBehind } from './groups.ts';
import { isAdditive, measureAmounts, measureLabel, totalsOf } from './measures.ts';
import { MeasuresMenu } from './measures-menu.tsx';
import {
  type Crossing,
  crossings,
  NO_PATH,
  type PivotCells,
  type PivotHead,
  pivotCells,
  rollUp,
  visibleRows,
} from './pivot-cells.ts';
import { PivotTable } from './pivot-table.tsx';

/** Pivot view of grouped records. */
export default function PivotScreen({ info, domain, state, setState, title }: RecordsProps) {
  const rows = state.groupBy.length > 0 ? state.groupBy : info.pivot.rows;
  const across = state.pivot.columns ?? info.pivot.columns;
  const columns = across.filter((grouping) => !rows.includes(grouping));
  const measures = state.pivot.measures ?? info.pivot.measures;
  const { data: answers, error } = useQuery({
    queryKey: keys.list(info.name, { domain, rows, columns, measures, figures: true }),
    queryFn: () => readCrossings(info, domain, { rows, columns }, measures),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows and columns came with the answers
  const cells = useMemo(() => answers && pivotCells(info, { rows, columns }, answers), [answers, info]);
  const change = (pivot: PivotChoice): void => setState({ pivot: { ...state.pivot, ...pivot }, saved: null });
  const open = (row: PivotHead | null, column: PivotHead | null): void => {
    const group = cells?.at(row?.path ?? NO_PATH, column?.path ?? NO_PATH);
    const label = [...(row?.line ?? []), ...(column?.line ?? [])].join(' / ');
    if (group) setState(recordsBehind(state, label, conditionsOf(group, domain)));
  };
  const { closed: collapsed = [] } = state.pivot;
  const closed = new Set(
    collapsed === 'all' ? cells?.rows.filter(({ hasBelow }) => hasBelow).map(({ path }) => path) : collapsed,
  );
  const visible = cells ? visibleRows(cells.rows, closed) : [];
  return (
    <div className="figures" data-slot="pivot">
      <div className="figures-tools">
        <GroupMenu
          info={info}
          groupBy={columns}
          onChange={(next) => change({ columns: next })}
          label={t('Columns')}
          slot="pivot-columns"
        />
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          disabled={columns.length === 0 || rows.length === 0}
          data-slot="flip"
          onClick={() => setState({ groupBy: columns, pivot: { ...state.pivot, columns: rows }, saved: null })}
        >
          <Icon name="arrow-left-right" /> {t('Swap rows and columns')}
        </button>
        <MeasuresMenu info={info} measures={measures} several onChange={(next) => change({ measures: next })} />
        {cells && rows.length > 1 && (
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            onClick={() => change({ closed: closed.size > 0 ? [] : 'all' })}
          >
            {closed.size > 0 ? t('Expand all') : t('Collapse all')}
          </button>
        )}
        {cells && (
          <ExportMenu
            title={title}
            table={() => shownTable({ info, cells, rows: visible, rowGroupings: rows, measures })}
          />
        )}
      </div>
      {!cells ? (
        !error && <Waiting />
      ) : cells.rows.length === 0 && Number(cells.at(NO_PATH, NO_PATH)?.__count ?? 0) === 0 ? (
        <p className="backend-nothing" data-slot="nothing">
          {t('No data to show.')}
        </p>
      ) : (
        <PivotTable
          info={info}
          cells={cells}
          rows={visible}
          head={rows.map((grouping) => groupByLabel(grouping, info)).join(' / ')}
          across={columns.map((grouping) => groupByLabel(grouping, info)).join(' / ')}
          measures={measures}
          closed={closed}
          onToggle={(path) =>
            change({
              closed: closed.has(path) ? [...closed].filter((closedPath) => closedPath !== path) : [...closed, path],
            })
          }
          onOpen={open}
        />
      )}
    </div>
  );
}

/** Maximum number of groups in one response. */
const MAX_GROUPS = 10_000;

/**
 * Reads the groups of all queries. Sums are read once and added up here; averages, and results too large for one response, are read query
 * by query.
 */
async function readCrossings(
  info: ModelInfo,
  domain: RecordsProps['domain'],
  { rows, columns }: Crossing,
  measures: readonly string[],
) {
  const totals = totalsOf(measures);
  const all = crossings(rows, columns);
  const finest = await readGroups(info, { domain, totals, groupings: [...rows, ...columns] });
  const isWhole = finest.length < MAX_GROUPS && measures.every(isAdditive);
  return Promise.all(
    all.map(async (crossing) => {
      const groupings = [...crossing.rows, ...crossing.columns];
      if (groupings.length === rows.length + columns.length) return { crossing, groups: finest };
      if (isWhole)
        return {
          crossing,
          groups: rollUp(finest, {
            info,
            baseDomain: domain,
            groupings: [...rows, ...columns],
            keptGroupings: groupings,
          }),
        };
      return { crossing, groups: await readGroups(info, { domain, totals, groupings }) };
    }),
  );
}

/** One column per row level, so that spreadsheets can process them further. */
function shownTable(table: {
  info: ModelInfo;
  cells: PivotCells;
  rows: readonly PivotHead[];
  rowGroupings: readonly string[];
  measures: readonly string[];
}): ShownTable {
  const { info, cells, rows, rowGroupings, measures } = table;
  const columns: readonly (PivotHead | null)[] = [...cells.columns, null];
  const numbers = (row: string): (string | number | null)[] =>
    columns.flatMap((column) =>
      measures.map((measure) => {
        const group = cells.at(row, column?.path ?? NO_PATH);
        const amounts = group ? measureAmounts(group, measure, info) : [];
        const [only = null] = amounts;
        // Amounts in several currencies can't be one number.
        if (amounts.length > 1)
          return amounts.map(({ value, currency }) => `${value} ${currency ?? ''}`.trim()).join(' + ');
        return only === null ? null : only.value;
      }),
    );
  return {
    headers: [
      ...rowGroupings.map((grouping) => groupByLabel(grouping, info)),
      ...columns.flatMap((column) =>
        measures.map((measure) =>
          [column?.label ?? (cells.columns.length > 0 ? t('Total') : ''), measureLabel(measure, info)]
            .filter(Boolean)
            .join(' – '),
        ),
      ),
    ],
    rows: [
      ...rows.map(({ line, path }) => [...line, ...rowGroupings.slice(line.length).map(() => null), ...numbers(path)]),
      [...rowGroupings.map((_, index) => (index === 0 ? t('Total') : null)), ...numbers(NO_PATH)],
    ],
  };
}
