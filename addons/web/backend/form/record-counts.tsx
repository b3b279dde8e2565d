import { useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { callRoute } from '../lib/call-route.ts';
import { formatNumber } from '../lib/format.ts';
import { Go } from '../lib/go.tsx';
import { Icon } from '../lib/icon.tsx';
import { keys } from '../lib/queries.ts';

/** Counts of related records, each linked to their list. Reserves the space while the counts load. */
export function RecordCounts({ model, id }: { model: string; id: number }) {
  const { data } = useQuery({
    queryKey: [...keys.records(model), 'counts', id],
    queryFn: () => callRoute('/web/backend/counts', { model, id }),
  });
  if (data?.length === 0) return null;
  return (
    <ul className="form-counts" aria-label={t('Related records')} data-slot="counts">
      {data?.map(({ label, icon, value, to }) => (
        <li key={label}>
          <Go to={to} className="form-count">
            <Icon name={icon} />
            <span>
              <strong>{formatNumber(value)}</strong> {label}
            </span>
          </Go>
        </li>
      ))}
    </ul>
  );
}
