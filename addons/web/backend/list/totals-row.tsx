import { t } from '#core/browser';
import { formatValue } from '../lib/format.ts';
import { useStart } from '../lib/start.tsx';
import type { ModelInfo } from '../types.ts';
import { declaredColumn } from './columns.ts';
import type { TableColumn } from './record-table.tsx';

/** Totals over everything that matches, not only what is in sight. */
export function TotalsRow({
  totals,
  columns,
  info,
}: {
  totals: Readonly<Record<string, unknown>>;
  columns: readonly TableColumn[];
  info: ModelInfo;
}) {
  const { user } = useStart();
  return (
    <tfoot>
      <tr>
        <td />
        {columns.map(({ field }, index) => {
          const { total } = declaredColumn(info, field.name);
          const value = totals[field.name];
          const text =
            total && typeof value === 'number'
              ? formatValue(
                  value,
                  { ...field, kind: field.kind === 'integer' ? 'float' : field.kind },
                  { timezone: user.timezone },
                )
              : '';
          const name = total === 'avg' ? t('Average') : t('Total');
          return (
            <td key={field.name} className={index === 0 && !text ? '' : 'backend-number'}>
              {text ? <span title={name}>{text}</span> : index === 0 ? t('Total') : ''}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}
