import { t } from 'pergola/browser';
import { Link } from 'react-router';

/** Shown for an address below `/web` that isn't a screen. */
export function NotFound() {
  return (
    <div className="backend-broken">
      <h1 className="h3">{t('There is no such screen')}</h1>
      <p>{t('The address may be mistyped, or an app that is switched off brought it.')}</p>
      <Link className="btn btn-primary" to="/web">
        {t('To the start')}
      </Link>
    </div>
  );
}
