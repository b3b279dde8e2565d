import { t } from 'pergola/browser';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { type Crumb, isScreen, trailOf } from '../lib/addresses.ts';
import { menuAddress, useStart } from '../lib/start.tsx';
import { useActiveMenu } from './menu-bar.tsx';

/**
 * Breadcrumbs: the previous page (`return_label`), the app, the list and the record. The last one is the current screen and sets the window
 * title.
 */
export function Crumbs({ between = [], current }: { between?: readonly Crumb[]; current: string }) {
  const { menus } = useStart();
  const { state, search } = useLocation();
  const query = new URLSearchParams(search);
  const [label, to] = [query.get('return_label'), query.get('return_to')];
  const back = label && to?.startsWith('/') && !to.startsWith('//') ? [{ label, to }] : [];
  const menu = useActiveMenu(menus).map((entry) => ({ label: entry.label, to: menuAddress(menus, entry) ?? '/web' }));
  const trail = trailOf(state);
  const path = [...back, ...(trail.length > 0 ? trail : menu), ...between];
  // If an app and its list have the same name, only the list is shown.
  const crumbs = path.filter(({ label: name }, index) => name !== (path[index + 1]?.label ?? current));
  useEffect(() => {
    document.title = `${current} | Pergola`;
  }, [current]);
  return (
    <nav aria-label={t('You are here')} className="backend-crumbs" data-slot="crumbs">
      <ol className="breadcrumb">
        {crumbs.map((crumb) => (
          <li className="breadcrumb-item" key={`${crumb.to} ${crumb.label}`}>
            {isScreen(crumb.to) ? <Link to={crumb.to}>{crumb.label}</Link> : <a href={crumb.to}>{crumb.label}</a>}
          </li>
        ))}
        <li className="breadcrumb-item active" aria-current="page">
          <h1>{current}</h1>
        </li>
      </ol>
    </nav>
  );
}
