import { t } from '#core/browser';
import { useStart } from '../lib/start.tsx';
import type { ModelInfo } from '../types.ts';
import { declaredColumn } from './columns.ts';
import type { TableColumn } from './record-table.tsx';
import { totalText } from './totals.ts';

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
          const text = total ? totalText(totals[field.name], field, user.timezone) : '';
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
