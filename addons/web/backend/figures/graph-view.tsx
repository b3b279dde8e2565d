import './figures.css';
import { useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useMemo } from 'react';
import { type FormatOptions, formatNumber, formatOptions } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { keys } from '../lib/queries.ts';
import { useStart } from '../lib/start.tsx';
import type { GraphChoice } from '../list/list-state.ts';
import type { RecordsProps } from '../list/records-screen.tsx';
import { readGroups, totalTexts } from '../list/totals.ts';
import { groupByLabel } from '../search/describe.ts';
import { Waiting } from '../shell/waiting.tsx';
import type { ChartKind, ModelInfo } from '../types.ts';
import FiguresChart from './chart.tsx';
import { ExportMenu, type ShownTable } from './export-menu.tsx';
import { recordsBehind } from './groups.ts';
import { COUNT, isAdditive, measureField, measureLabel, totalsOf } from './measures.ts';
import { MeasuresMenu } from './measures-menu.tsx';
import { type ChartData, chartData } from './series.ts';

/** Graph of grouped records, with its figures in a table. */
export default function GraphScreen({ info, domain, state, setState, title }: RecordsProps) {
  const { chart, measure, stacked, sort } = { sort: undefined, ...info.graph, ...state.graph };
  const groupBy = (state.groupBy.length > 0 ? state.groupBy : info.graph.groupBy).slice(0, 2);
  const formats = formatOptions(useStart());
  const groups = useQuery({
    queryKey: keys.list(info.name, { domain, groupBy, measure, figures: true }),
    queryFn: () => readGroups(info, { domain, totals: totalsOf([measure]), groupings: groupBy }),
  });
  const [axis = '', part] = groupBy;
  const data = useMemo(
    () => groups.data && chartData(groups.data, { info, domain, groupBy: part ? [axis, part] : [axis], measure, sort }),
    [groups.data, info, domain, axis, part, measure, sort],
  );
  const change = (graph: GraphChoice): void => setState({ graph: { ...state.graph, ...graph }, saved: null });
  const format = (value: number, currency: string | null): string =>
    valueText(value, measure, currency, { info, formats });
  const open = (index: number): void => {
    const point = data?.points[index];
    if (point) setState(recordsBehind(state, `${groupByLabel(axis, info)}: ${point.label}`, point.conditions));
  };
  const caption = t('{figure} by {group}', {
    figure: measureLabel(measure, info),
    group: groupBy.map((grouping) => groupByLabel(grouping, info)).join(', '),
  });
  return (
    <div className="figures" data-slot="graph">
      <div className="figures-tools">
        <KindSwitch kind={chart} onChange={(kind) => change({ chart: kind })} />
        <MeasuresMenu info={info} measures={[measure]} onChange={([first]) => first && change({ measure: first })} />
        {chart === 'bar' && part && (
          <button
            type="button"
            className={`btn btn-sm btn-outline-secondary${stacked ? ' active' : ''}`}
            aria-pressed={stacked}
            onClick={() => change({ stacked: !stacked })}
          >
            {t('Stacked')}
          </button>
        )}
        <SortButton
          sort={sort}
          onChange={(next) =>
            setState({ graph: { ...withoutSort(state.graph), ...(next ? { sort: next } : {}) }, saved: null })
          }
        />
        {data && (
          <ExportMenu title={`${title} – ${caption}`} table={() => shownTable(data, groupByLabel(axis, info))} />
        )}
      </div>
      {!data ? (
        !groups.error && <Waiting />
      ) : data.points.length === 0 ? (
        <p className="backend-nothing" data-slot="nothing">
          {t('No data to show.')}
        </p>
      ) : (
        <div className="figures-beside">
          <figure>
            <FiguresChart
              kind={chart}
              labels={data.points.map(({ label }) => label)}
              series={data.series.map((seriesItem, index) => ({
                ...seriesItem,
                values: data.points.map(({ values }) => values[index] ?? null),
              }))}
              stacked={stacked}
              label={caption}
              format={format}
              onPoint={open}
            />
            {data.points.length < data.total && (
              <figcaption>
                {t('{n} of {total} shown.', {
                  n: formatNumber(data.points.length),
                  total: formatNumber(data.total),
                })}
              </figcaption>
            )}
          </figure>
          <FiguresTable
            data={data}
            caption={caption}
            head={groupByLabel(axis, info)}
            measure={measure}
            format={format}
            onOpen={open}
          />
        </div>
      )}
    </div>
  );
}

function withoutSort({ sort: _, ...rest }: GraphChoice): GraphChoice {
  return rest;
}

function valueText(
  value: number,
  measure: string,
  currency: string | null,
  { info, formats }: { info: ModelInfo; formats: FormatOptions },
): string {
  const field = measureField(measure, info);
  if (measure === COUNT || !field || measure.endsWith(':count_distinct')) return formatNumber(value);
  return totalTexts(currency ? [{ amount: value, currency: [0, currency] }] : value, field, formats)[0] ?? '';
}

function KindSwitch({ kind, onChange }: { kind: ChartKind; onChange(kind: ChartKind): void }) {
  const kinds = [
    { id: 'bar', icon: 'bar-chart', label: t('Bar') },
    { id: 'line', icon: 'graph-up', label: t('chart\u0004Line') },
    { id: 'pie', icon: 'pie-chart', label: t('Pie') },
  ] as const;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons outside a form
    <div className="backend-switch" role="group" aria-label={t('Chart type')} data-slot="chart-kinds">
      {kinds.map(({ id, icon, label }) => (
        <button
          key={id}
          type="button"
          className={`btn btn-sm btn-outline-secondary${kind === id ? ' active' : ''}`}
          aria-pressed={kind === id}
          aria-label={label}
          title={label}
          onClick={() => onChange(id)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </div>
  );
}

/** Cycles through largest first, smallest first and default order. */
function SortButton({ sort, onChange }: { sort: GraphChoice['sort']; onChange(sort: GraphChoice['sort']): void }) {
  const next = sort === undefined ? 'desc' : sort === 'desc' ? 'asc' : undefined;
  const label = sort === 'desc' ? t('Largest first') : sort === 'asc' ? t('Smallest first') : t('Sort by value');
  return (
    <button
      type="button"
      className={`btn btn-sm btn-outline-secondary${sort ? ' active' : ''}`}
      aria-pressed={sort !== undefined}
      data-slot="sort"
      onClick={() => onChange(next)}
    >
      <Icon name={sort === 'asc' ? 'sort-up' : 'sort-down'} /> {label}
    </button>
  );
}

function FiguresTable({
  data: { series, points },
  caption,
  head,
  measure,
  format,
  onOpen,
}: {
  data: ChartData;
  caption: string;
  head: string;
  measure: string;
  format(value: number, currency: string | null): string;
  onOpen(index: number): void;
}) {
  const sums = series.map((_, index) => points.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: makes the scrollable area reachable by keyboard
    <section className="figures-table-place" tabIndex={0} aria-label={caption}>
      <table className="table table-sm figures-table" data-slot="figures-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className="figures-fixed top">
              {head}
            </th>
            {series.map(({ label }) => (
              <th key={label} scope="col" className="figures-fixed top backend-number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ label, values }, index) => (
            <tr key={`${label} ${JSON.stringify(points[index]?.conditions)}`}>
              <th scope="row">
                <button type="button" className="figures-open" onClick={() => onOpen(index)}>
                  {label}
                </button>
              </th>
              {series.map((column, place) => (
                <td key={column.label} className="backend-number">
                  {typeof values[place] === 'number' ? format(values[place], column.currency) : ''}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {isAdditive(measure) && points.length > 1 && (
          <tfoot>
            <tr>
              <th scope="row" className="figures-fixed foot">
                {t('Total')}
              </th>
              {series.map((column, place) => (
                <td key={column.label} className="figures-fixed foot backend-number">
                  {format(sums[place] ?? 0, column.currency)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  );
}

function shownTable({ series, points }: ChartData, head: string): ShownTable {
  return {
    headers: [head, ...series.map(({ label }) => label)],
    rows: points.map(({ label, values }) => [label, ...values]),
  };
}
