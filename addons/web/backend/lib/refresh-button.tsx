import { t } from 'pergola/browser';
import { Icon } from './icon.tsx';

/** Loads what a screen shows again. */
export function RefreshButton({ isBusy = false, onRefresh }: { isBusy?: boolean; onRefresh(): unknown }) {
  return (
    <button
      type="button"
      className="btn btn-sm btn-outline-secondary"
      disabled={isBusy}
      onClick={() => void onRefresh()}
    >
      <Icon name="arrow-clockwise" /> {t('Refresh')}
    </button>
  );
}
