import { t } from 'pergola/browser';

/** Shown while a screen's data is loading. */
export function Waiting() {
  return (
    <div className="backend-wait" role="status">
      <span className="visually-hidden">{t('Loading…')}</span>
    </div>
  );
}
