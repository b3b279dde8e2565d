import { useEffect } from 'react';
import { Link } from 'react-router';
import { t } from '#core/browser';
import { isScreen } from '../lib/addresses.ts';
import { Icon } from '../lib/icon.tsx';
import { menuAddress, useStart } from '../lib/start.tsx';

/** Where one begins: the apps, as tiles. */
export function HomeScreen() {
  const { menus, user, keepsMails } = useStart();
  const tops = menus.filter(({ parent }) => parent === null);
  useEffect(() => {
    document.title = 'Pergola';
  }, []);
  return (
    <div className="backend-start" data-slot="home">
      <h1 className="h2">{t('Hello {name}', { name: user.name })}</h1>
      {tops.length === 0 && <p>{t('No app has anything for you here yet. Ask an administrator for access.')}</p>}
      {user.isAdmin && keepsMails && (
        <p data-slot="home-outbox">
          {t('There is no mail server yet: mails stay here.')}{' '}
          <Link to="/web/settings/mails">{t('Open the outbox')}</Link>
        </p>
      )}
      <ul className="backend-tiles">
        {tops.map((menu) => {
          const address = menuAddress(menus, menu);
          const inside = (
            <>
              <span className="backend-tile-icon">
                <Icon name={menu.icon} />
              </span>
              <span>{menu.label}</span>
            </>
          );
          if (address === null) return null;
          return (
            <li key={menu.id}>
              {isScreen(address) ? (
                <Link className="backend-tile" to={address}>
                  {inside}
                </Link>
              ) : (
                <a className="backend-tile" href={address}>
                  {inside}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
