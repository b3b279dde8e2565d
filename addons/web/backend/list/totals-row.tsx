import { t } from 'pergola/browser';
import { formatOptions } from '../lib/format.ts';
import { useStart } from '../lib/start.tsx';
import type { ModelInfo } from '../types.ts';
import { declaredColumn } from './columns.ts';
import type { TableColumn } from './record-table.tsx';
import { totalTexts } from './totals.ts';

/** Totals of all matching records, including other pages. */
export function TotalsRow({
  totals,
  columns,
  info,
}: {
  totals: Readonly<Record<string, unknown>>;
  columns: readonly TableColumn[];
  info: ModelInfo;
}) {
  const formats = formatOptions(useStart());
  return (
    <tfoot>
      <tr>
        <td />
        {columns.map(({ field }, index) => {
          const { total } = declaredColumn(info, field.name);
          const texts = total ? totalTexts(totals[field.name], field, formats) : [];
          const name = total === 'avg' ? t('Average') : t('Total');
          return (
            <td
              key={field.name}
              className={index === 0 && texts.length === 0 ? '' : 'backend-number'}
              title={texts.length > 0 ? name : undefined}
            >
              {index === 0 && texts.length === 0 ? t('Total') : <TotalLines texts={texts} />}
            </td>
          );
        })}
      </tr>
    </tfoot>
  );
}

/** A total, with one line per currency. */
export function TotalLines({ texts }: { texts: readonly string[] }) {
  return texts.map((text) => (
    <span key={text} className={texts.length > 1 ? 'backend-amounts' : ''}>
      {text}
    </span>
  ));
}
