import { t } from 'pergola/browser';
import { Suspense, useEffect, useRef, useState } from 'react';
import { Link, Outlet, useLocation, useNavigation } from 'react-router';
import { Icon } from '../lib/icon.tsx';
import { useStart } from '../lib/start.tsx';
import { ListMemoryProvider } from './list-memory.tsx';
import { MenuBar } from './menu-bar.tsx';
import { PaletteButton } from './palette-button.tsx';
import { ThingsToDoProvider } from './things-to-do.tsx';
import { UserMenu } from './user-menu.tsx';
import { Waiting } from './waiting.tsx';

/** Frame of every screen: menus, command palette and user menu. */
export function Shell() {
  const { menus } = useStart();
  const { pathname, search } = useLocation();
  const isLoading = useNavigation().state !== 'idle';
  const [isNavOpen, setNavOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the screen changes
  useEffect(() => setNavOpen(false), [pathname, search]);
  useFocusInScreen(pathname);
  return (
    <ListMemoryProvider>
      <ThingsToDoProvider>
        <a className="skip-link" href="#backend-main">
          {t('Skip to content')}
        </a>
        <header className="backend-bar" data-slot="backend-bar">
          <button
            type="button"
            className="btn btn-icon backend-nav-toggle"
            aria-expanded={isNavOpen}
            aria-controls="backend-nav"
            aria-label={t('Menu')}
            onClick={() => setNavOpen(!isNavOpen)}
          >
            <Icon name={isNavOpen ? 'x-lg' : 'list'} />
          </button>
          <Link
            className="backend-home"
            to="/web"
            aria-label={t('Go to the home page')}
            title={t('Go to the home page')}
          >
            <Icon name="grid-3x3-gap" />
          </Link>
          <MenuBar menus={menus} isOpen={isNavOpen} />
          <div className="backend-tools">
            <PaletteButton />
            <UserMenu />
          </div>
        </header>
        <div className={`backend-progress${isLoading ? ' on' : ''}`} aria-hidden="true" />
        <main id="backend-main" className="backend-main" tabIndex={-1}>
          <Suspense fallback={<Waiting />}>
            <Outlet />
          </Suspense>
        </main>
      </ThingsToDoProvider>
    </ListMemoryProvider>
  );
}

/** Moves the focus to the new screen for keyboard and screen reader users, because the link they followed no longer exists. */
function useFocusInScreen(pathname: string): void {
  const previousPath = useRef(pathname);
  useEffect(() => {
    if (previousPath.current === pathname) return;
    previousPath.current = pathname;
    const main = document.getElementById('backend-main');
    if (document.activeElement === document.body) main?.focus({ preventScroll: true });
  }, [pathname]);
}
