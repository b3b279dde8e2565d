import { t } from 'pergola/browser';
import { formatNumber } from './format.ts';
import { Icon } from './icon.tsx';

/** Button to the previous or next page or record. */
export function Turn({
  step,
  label,
  disabled,
  onTurn,
}: {
  step: -1 | 1;
  label: string;
  disabled: boolean;
  onTurn(): void;
}) {
  return (
    <button
      type="button"
      className="btn btn-icon"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onTurn}
    >
      <Icon name={step < 0 ? 'chevron-left' : 'chevron-right'} />
    </button>
  );
}

/** Pages through a longer list. */
export function PageBar({
  limit,
  offset,
  total,
  onGo,
}: {
  limit: number;
  offset: number;
  total: number;
  onGo(offset: number): void;
}) {
  if (total === 0 && offset === 0) return null;
  const to = Math.min(offset + limit, total);
  return (
    <nav className="backend-pager" aria-label={t('Pages')} data-slot="pager">
      <Turn
        step={-1}
        label={t('Previous page')}
        disabled={offset === 0}
        onTurn={() => onGo(Math.max(0, offset - limit))}
      />
      <span>
        {t('{from}–{to} of {total}', {
          from: formatNumber(Math.min(offset + 1, total)),
          to: formatNumber(to),
          total: formatNumber(total),
        })}
      </span>
      <Turn step={1} label={t('Next page')} disabled={to >= total} onTurn={() => onGo(offset + limit)} />
    </nav>
  );
}
