import { t } from 'pergola/browser';

/** Closes a dialog without changes. */
export function CancelButton({ onClick }: { onClick(): void }) {
  return (
    <button type="button" className="btn btn-outline-secondary" onClick={onClick}>
      {t('Cancel')}
    </button>
  );
}
