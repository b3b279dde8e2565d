import { t } from 'pergola/browser';
import { useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { isScreen } from '../lib/addresses.ts';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import { menuAddress, menuLine, menuOfModel } from '../lib/start.tsx';
import type { MenuEntry } from '../types.ts';
import { useFitting } from './use-fitting.ts';

/** Returns the menu entry for the current address: the one it names, else the one that lists its model. */
export function useActiveMenu(menus: readonly MenuEntry[]): readonly MenuEntry[] {
  const { pathname, search } = useLocation();
  const menuPath = menuLine(menus, new URLSearchParams(search).get('menu'));
  if (menuPath.length > 0) return menuPath;
  const model = /^\/web\/m\/([^/]+)/.exec(pathname)?.[1];
  const entry = model
    ? menuOfModel(menus, model)
    : menus
        .filter(({ url }) => url !== null && isUnder(pathname, url))
        .toSorted((a, b) => (b.url?.length ?? 0) - (a.url?.length ?? 0))[0];
  return entry ? menuLine(menus, entry.id) : [];
}

function isUnder(path: string, url: string): boolean {
  return url.startsWith('/web/') && (path === url || path.startsWith(`${url}/`));
}

/** Apps and the entries of the current one. On phones they are in a panel. */
export function MenuBar({ menus, isOpen }: { menus: readonly MenuEntry[]; isOpen: boolean }) {
  const active = useActiveMenu(menus);
  const [app] = active;
  const children = app ? menus.filter(({ parent }) => parent === app.id) : [];
  const tops = menus.filter(({ parent }) => parent === null);
  const list = useRef<HTMLUListElement>(null);
  const fitting = useFitting(list, children.length);
  return (
    <nav id="backend-nav" className={`backend-nav${isOpen ? ' open' : ''}`} aria-label={t('Main menu')}>
      {isOpen ? (
        <ul className="backend-apps-open">
          {tops.map((menu) => (
            <li key={menu.id}>
              <Entry menu={menu} menus={menus} isActive={menu.id === app?.id} className="dropdown-item" icon />
            </li>
          ))}
        </ul>
      ) : (
        <div className="backend-apps">
          <MenuButton
            className="btn backend-app"
            slot="apps-menu"
            label={
              <>
                <span>{app?.label ?? t('Home')}</span> <Icon name="chevron-down" />
              </>
            }
          >
            {tops.map((menu) => (
              <Entry
                key={menu.id}
                menu={menu}
                menus={menus}
                isActive={menu.id === app?.id}
                className="dropdown-item"
                icon
              />
            ))}
          </MenuButton>
        </div>
      )}
      {isOpen && children.length > 0 && <p className="backend-menu-head">{app?.label}</p>}
      <ul className="backend-entries" ref={list}>
        {children.map((menu, index) => (
          <li key={menu.id} style={index < fitting || isOpen ? undefined : { visibility: 'hidden' }}>
            <TopEntry menu={menu} menus={menus} active={active} />
          </li>
        ))}
      </ul>
      {fitting < children.length && !isOpen && (
        <MenuButton
          className="btn backend-entry"
          slot="more-menu"
          end
          label={
            <>
              {t('More')} <Icon name="chevron-down" />
            </>
          }
        >
          {children.slice(fitting).map((menu) => (
            <MoreEntry key={menu.id} menu={menu} menus={menus} active={active} />
          ))}
        </MenuButton>
      )}
    </nav>
  );
}

interface EntryProps {
  readonly menu: MenuEntry;
  readonly menus: readonly MenuEntry[];
  readonly active: readonly MenuEntry[];
}

/** An entry that doesn't fit into the bar: a link, or its children under its name. */
function MoreEntry({ menu, menus, active }: EntryProps) {
  const children = menu.model || menu.url ? [] : menus.filter(({ parent }) => parent === menu.id);
  if (children.length === 0) return <PanelEntries entries={[menu]} menus={menus} active={active} />;
  return (
    <fieldset className="backend-more-group">
      <legend className="backend-menu-head">{menu.label}</legend>
      <PanelEntries entries={children} menus={menus} active={active} />
    </fieldset>
  );
}

/** An entry of the current app: a link, or a dropdown of its children. */
function TopEntry({ menu, menus, active }: EntryProps) {
  const children = menus.filter(({ parent }) => parent === menu.id);
  const isActive = active.some(({ id }) => id === menu.id);
  if (children.length === 0 || menu.model || menu.url)
    return <Entry menu={menu} menus={menus} isActive={isActive} className="btn backend-entry" />;
  return (
    <MenuButton
      className={`btn backend-entry${isActive ? ' active' : ''}`}
      label={
        <>
          {menu.label} <Icon name="chevron-down" />
        </>
      }
    >
      <PanelEntries entries={children} menus={menus} active={active} />
    </MenuButton>
  );
}

/** Entries in a vertical panel. */
function PanelEntries({
  entries,
  menus,
  active,
}: Omit<EntryProps, 'menu'> & { readonly entries: readonly MenuEntry[] }) {
  return entries.map((entry) => (
    <Entry
      key={entry.id}
      menu={entry}
      menus={menus}
      isActive={active.some(({ id }) => id === entry.id)}
      className="dropdown-item"
    />
  ));
}

function Entry({
  menu,
  menus,
  isActive,
  className,
  icon = false,
}: {
  menu: MenuEntry;
  menus: readonly MenuEntry[];
  isActive: boolean;
  className: string;
  icon?: boolean;
}) {
  const address = menuAddress(menus, menu);
  if (address === null) return null;
  const linkProps = {
    className: `${className}${isActive ? ' active' : ''}`,
    'aria-current': isActive ? ('page' as const) : undefined,
  };
  const inside = (
    <>
      {icon && <Icon name={menu.icon} />}
      <span>{menu.label}</span>
    </>
  );
  return isScreen(address) ? (
    <Link to={address} {...linkProps}>
      {inside}
    </Link>
  ) : (
    <a href={address} {...linkProps}>
      {inside}
    </a>
  );
}
