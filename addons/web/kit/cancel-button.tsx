import { t } from 'pergola/browser';

/** Leaves a window as it was. */
export function CancelButton({ onClick }: { onClick(): void }) {
  return (
    <button type="button" className="btn btn-outline-secondary" onClick={onClick}>
      {t('Cancel')}
    </button>
  );
}
