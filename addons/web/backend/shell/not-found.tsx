import { t } from 'pergola/browser';
import { Link } from 'react-router';

/** Shown for an address below `/web` that isn't a screen. */
export function NotFound() {
  return (
    <div className="backend-broken">
      <h1 className="h3">{t('Screen not found')}</h1>
      <p>{t('The address may be wrong, or its app may be disabled.')}</p>
      <Link className="btn btn-primary" to="/web">
        {t('Go to the home page')}
      </Link>
    </div>
  );
}
