import { csrfToken, t } from 'pergola/browser';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import { useStart } from '../lib/start.tsx';

/** Signed-in user, their account, and the sign-out button. */
export function UserMenu() {
  const { user } = useStart();
  return (
    <MenuButton
      className="btn backend-user"
      end
      slot="user-menu"
      label={
        <>
          <Icon name="person" /> <span className="backend-user-name">{user.name}</span>
          <span className="visually-hidden">{t('Account menu')}</span>
        </>
      }
    >
      <p className="backend-user-login text-body-secondary" translate="no">
        {user.login}
      </p>
      <a className="dropdown-item" href="/my/account">
        <Icon name="person-gear" /> {t('My account and language')}
      </a>
      <a className="dropdown-item" href="/">
        <Icon name="globe" /> {t('Go to the website')}
      </a>
      <form method="post" action="/web/logout">
        <input type="hidden" name="csrf_token" value={csrfToken()} />
        <button type="submit" className="dropdown-item">
          <Icon name="box-arrow-right" /> {t('Sign out')}
        </button>
      </form>
    </MenuButton>
  );
}
