import { t } from 'pergola/browser';
import { formatNumber, formatOptions } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { useStart } from '../lib/start.tsx';
import type { ModelInfo } from '../types.ts';
import { declaredColumn } from './columns.ts';
import type { TableColumn } from './record-table.tsx';
import { totalTexts } from './totals.ts';
import { TotalLines } from './totals-row.tsx';
import { type Group, groupTitle, type Line } from './use-records.ts';

/** Header of a group with its count and totals; expands and collapses it. */
export function GroupRow({
  line: { group, isOpen },
  row,
  columns,
  info,
  onToggle,
}: {
  line: Extract<Line, { kind: 'group' }>;
  row: number;
  columns: readonly TableColumn[];
  info: ModelInfo;
  onToggle(group: Group): void;
}) {
  const formats = formatOptions(useStart());
  return (
    <tr className="backend-group" aria-rowindex={row} data-group={group.label}>
      <td colSpan={2}>
        <button
          type="button"
          className="backend-group-open"
          aria-expanded={isOpen}
          style={{ paddingInlineStart: `${group.depth * 1.25}rem` }}
          onClick={() => onToggle(group)}
        >
          <Icon name={isOpen ? 'caret-down-fill' : 'caret-right-fill'} />
          <span>{groupTitle(group)}</span> <span className="backend-badge">{formatNumber(group.count)}</span>
        </button>
      </td>
      {columns.slice(1).map(({ field }) => {
        const hasTotal = declaredColumn(info, field.name).total !== null;
        const texts = hasTotal ? totalTexts(group.totals[field.name], field, formats) : [];
        return (
          <td key={field.name} className="backend-number" title={texts.join(' + ') || undefined}>
            <TotalLines texts={texts} />
          </td>
        );
      })}
    </tr>
  );
}

/** Loads more records of a group. */
export function MoreRow({
  line: { group, visibleCount },
  row,
  span,
  onMore,
}: {
  line: Extract<Line, { kind: 'more' }>;
  row: number;
  span: number;
  onMore(group: Group): void;
}) {
  return (
    <tr aria-rowindex={row}>
      <td colSpan={span}>
        <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => onMore(group)}>
          {t('Show more ({n} left)', { n: formatNumber(group.count - visibleCount) })}
        </button>
      </td>
    </tr>
  );
}

export function WaitRow({ row, span }: { row: number; span: number }) {
  return (
    <tr aria-rowindex={row}>
      <td colSpan={span} className="text-body-secondary">
        {t('Loading…')}
      </td>
    </tr>
  );
}
