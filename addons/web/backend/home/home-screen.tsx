import { useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { isScreen } from '../lib/addresses.ts';
import { callRoute } from '../lib/call-route.ts';
import { remember } from '../lib/calls.ts';
import { Icon } from '../lib/icon.tsx';
import { menuAddress, useStart } from '../lib/start.tsx';
import { useTrouble } from '../lib/trouble.tsx';
import { Waiting } from '../shell/waiting.tsx';
import type { Dashboard, DashboardChoice } from '../types.ts';
import { HiddenWidgets, Widget, WidgetTools } from './widget.tsx';
import { moved } from './widget-order.ts';

const key = ['dashboard'];

/** Start screen: the apps and the dashboard. */
export function HomeScreen() {
  const { user, keepsMails } = useStart();
  const [isArranging, setArranging] = useState(false);
  useEffect(() => {
    document.title = 'Pergola';
  }, []);
  return (
    <div className="backend-start" data-slot="home">
      <div className="home-head">
        <h1 className="h2">{t('Hello {name}', { name: user.name })}</h1>
        <button
          type="button"
          className={`btn btn-sm btn-outline-secondary${isArranging ? ' active' : ''}`}
          aria-pressed={isArranging}
          data-slot="arrange"
          onClick={() => setArranging(!isArranging)}
        >
          <Icon name="sliders" /> {isArranging ? t('Done') : t('Customise')}
        </button>
      </div>
      {user.isAdmin && keepsMails && (
        <p className="home-banner" data-slot="home-outbox">
          <Icon name="envelope" />
          {t('No mail server is configured. Emails are held until you set one up.')}{' '}
          <Link to="/web/settings/mails">{t('Open outbox')}</Link>
          <Link to="/web/settings/mail-server">{t('Set up a mail server')}</Link>
        </p>
      )}
      <Apps />
      <Widgets isArranging={isArranging} />
    </div>
  );
}

function Apps() {
  const { menus } = useStart();
  const tops = menus.filter(({ parent }) => parent === null);
  if (tops.length === 0) return <p>{t('You don’t have access to any apps yet. Ask an administrator.')}</p>;
  return (
    <ul className="backend-tiles" aria-label={t('Apps')}>
      {tops.map((menu) => {
        const address = menuAddress(menus, menu);
        if (address === null) return null;
        const inside = (
          <>
            <span className="backend-tile-icon">
              <Icon name={menu.icon} />
            </span>
            <span>{menu.label}</span>
          </>
        );
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
  );
}

/** The user's widgets in their order, arranged by buttons or by dragging. */
function Widgets({ isArranging }: { isArranging: boolean }) {
  const client = useQueryClient();
  const report = useTrouble();
  const { data, error } = useQuery({
    queryKey: key,
    queryFn: () => callRoute('/web/backend/dashboard', {}),
  });
  const [dragged, setDragged] = useState<string | null>(null);
  const [toggled, setToggled] = useState<string | null>(null);
  // After a widget was hidden or shown by keyboard, moves the focus to the button that reverses it.
  useEffect(() => {
    const button = toggled !== null && document.querySelector<HTMLElement>(`[data-toggles="${CSS.escape(toggled)}"]`);
    if (!button || document.activeElement !== document.body) return;
    button.focus();
    setToggled(null);
  });
  if (!data) return error ? null : <Waiting />;
  const { widgets, hidden } = data;
  const save = (next: DashboardChoice): void => {
    void remember('dashboard', next)
      .then(() => client.invalidateQueries({ queryKey: key }))
      .catch(report);
  };
  const ids = widgets.map(({ id }) => id);
  const hiddenIds = hidden.map(({ id }) => id);
  const arrange = (order: readonly string[]): void => {
    // Shows the new order at once, while it is being saved.
    const byId = new Map(widgets.map((widget) => [widget.id, widget]));
    client.setQueryData<Dashboard>(key, { hidden, widgets: order.flatMap((id) => byId.get(id) ?? []) });
    save({ order, hidden: hiddenIds });
  };
  return (
    <>
      <ul className="home-widgets" data-slot="widgets">
        {widgets.map((widget, index) => (
          <li
            key={widget.id}
            className={dragged === widget.id ? 'dragged' : undefined}
            draggable={isArranging}
            onDragStart={() => setDragged(widget.id)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => {
              if (dragged !== null) event.preventDefault();
            }}
            onDrop={() => dragged !== null && arrange(moved(ids, dragged, index))}
          >
            <Widget widget={widget}>
              {isArranging && (
                <WidgetTools
                  id={widget.id}
                  label={widget.label}
                  isFirst={index === 0}
                  isLast={index === widgets.length - 1}
                  onMove={(step) => arrange(moved(ids, widget.id, index + step))}
                  onHide={() => {
                    setToggled(widget.id);
                    save({ order: ids, hidden: [...hiddenIds, widget.id] });
                  }}
                />
              )}
            </Widget>
          </li>
        ))}
      </ul>
      {isArranging && (
        <HiddenWidgets
          hidden={hidden}
          onShow={(id) => {
            setToggled(id);
            save({ order: [...ids, id], hidden: hiddenIds.filter((hiddenId) => hiddenId !== id) });
          }}
        />
      )}
    </>
  );
}
