import { t } from '#core/browser';
import { Icon } from './icon.tsx';

/** Goes through pages of which only the next is known. */
export function Pager({ page, more, onPage }: { page: number; more: boolean; onPage(page: number): void }) {
  if (page === 0 && !more) return null;
  return (
    <nav className="ed-pager" aria-label={t('Pages')}>
      <button
        type="button"
        className="btn btn-sm btn-outline-secondary"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      >
        <Icon name="chevron-left" /> {t('Newer')}
      </button>
      <span>{t('Page {n}', { n: page + 1 })}</span>
      <button
        type="button"
        className="btn btn-sm btn-outline-secondary"
        disabled={!more}
        onClick={() => onPage(page + 1)}
      >
        {t('Older')} <Icon name="chevron-right" />
      </button>
    </nav>
  );
}
