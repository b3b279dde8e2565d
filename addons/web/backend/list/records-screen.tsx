import { t } from 'pergola/browser';
import { clockTime } from 'pergola/zones';
import { lazy, Suspense, useMemo } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { recordAddress } from '../lib/addresses.ts';
import { Icon } from '../lib/icon.tsx';
import { useModel } from '../lib/queries.ts';
import { menuLine, menuOfModel, useStart } from '../lib/start.tsx';
import { listDomain } from '../search/chip-domain.ts';
import type { Clock } from '../search/conditions.ts';
import { SearchBar } from '../search/search-bar.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { Waiting } from '../shell/waiting.tsx';
import type { Domain, MenuEntry, ModelInfo } from '../types.ts';
import { type ListState, type ShownView, viewsOf } from './list-state.ts';
import { ListView } from './list-view.tsx';
import { useSavedViews } from './saved-views.ts';
import { SavedViewsMenu } from './saved-views-menu.tsx';
import { useColumns } from './use-columns.tsx';
import { useListState } from './use-list-state.ts';

const KanbanScreen = lazy(() => import('../kanban/kanban-view.tsx'));
const CalendarScreen = lazy(() => import('../calendar/calendar-view.tsx'));
const GraphScreen = lazy(() => import('../figures/graph-view.tsx'));
const PivotScreen = lazy(() => import('../figures/pivot-view.tsx'));

/** Records of a model as list, cards, calendar, graph or pivot table. */
export function RecordsScreen() {
  const { model = '' } = useParams();
  return <Records key={model} model={model} />;
}

/** Props common to all views of records. */
export interface RecordsProps {
  readonly info: ModelInfo;
  readonly domain: Domain;
  readonly state: ListState;
  setState(change: Partial<ListState>): void;
  /** Id of the menu entry, passed on in addresses. */
  readonly menu: string | null;
  readonly title: string;
}

function Records({ model }: { model: string }) {
  const info = useModel(model);
  const { user, menus } = useStart();
  const saved = useSavedViews(model, user.id);
  const { state, setState } = useListState(info, saved);
  const menu = useMenu(menus, model);
  const domain = useDomain(info, menu, state);
  const view = saved.find(({ id }) => id === state.saved) ?? null;
  const columns = useColumns(info, view?.columns ?? null);
  const views = viewsOf(info, menu?.views ?? []);
  const currentView = views.find((view) => view === state.view) ?? views[0] ?? 'list';
  const title = menu?.label ?? info.label;
  const props: RecordsProps = { info, domain, state, setState, menu: menu?.id ?? null, title };
  return (
    <div className="backend-records" data-slot="records" data-model={model}>
      <div className="backend-head">
        <Crumbs current={title} />
        <div className="backend-head-tools">
          {info.may.create && (
            <Link
              className="btn btn-primary btn-sm"
              data-slot="new"
              to={recordAddress(model, 'new', menu?.id ?? null)}
              state={{ trail: [] }}
            >
              <Icon name="plus-lg" /> {t('New')}
            </Link>
          )}
          {info.may.create && (
            <Link
              className="btn btn-outline-secondary btn-sm"
              data-slot="import"
              to={`/web/m/${model}/import${menu ? `?menu=${menu.id}` : ''}`}
            >
              <Icon name="upload" /> {t('Import')}
            </Link>
          )}
          <ViewSwitch
            views={views}
            current={currentView}
            onShow={(next) => setState({ view: next, page: state.page })}
          />
        </div>
      </div>
      <SearchBar info={info} state={state} setState={setState} groups={currentView !== 'calendar'}>
        <SavedViewsMenu info={info} saved={saved} state={state} setState={setState} columns={columns.columns} />
      </SearchBar>
      <Suspense fallback={<Waiting />}>
        {currentView === 'kanban' && info.kanban ? (
          <KanbanScreen {...props} view={info.kanban} />
        ) : currentView === 'calendar' && info.calendar ? (
          <CalendarScreen {...props} view={info.calendar} />
        ) : currentView === 'graph' ? (
          <GraphScreen {...props} />
        ) : currentView === 'pivot' ? (
          <PivotScreen {...props} />
        ) : (
          <ListView {...props} columns={columns} />
        )}
      </Suspense>
    </div>
  );
}

function useMenu(menus: readonly MenuEntry[], model: string): MenuEntry | null {
  const [query] = useSearchParams();
  const entry = menuLine(menus, query.get('menu')).at(-1);
  return entry?.model === model ? entry : menuOfModel(menus, model);
}

/** Returns the server domain of the list. When the day changes, it is updated on the next render. */
function useDomain(info: ModelInfo, menu: MenuEntry | null, { chips }: ListState): Domain {
  const { siteTimezone, user } = useStart();
  const { timezone } = user;
  return useMemo(() => {
    const clock: Clock = { timezone, siteTimezone, today: clockTime(new Date(), timezone).slice(0, 10) };
    return listDomain(menu?.domain ?? [], chips, info, clock);
  }, [info, menu, chips, timezone, siteTimezone]);
}

function ViewSwitch({
  views,
  current,
  onShow,
}: {
  views: readonly ShownView[];
  current: ShownView;
  onShow(view: ShownView): void;
}) {
  const labels = {
    list: t('List'),
    kanban: t('Cards'),
    calendar: t('Calendar'),
    graph: t('Graph'),
    pivot: t('Pivot table'),
  };
  const icons = { list: 'list-ul', kanban: 'kanban', calendar: 'calendar3', graph: 'bar-chart', pivot: 'table' };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons outside a form
    <div className="backend-switch" role="group" aria-label={t('Show as')} data-slot="views">
      {views.map((view) => (
        <button
          key={view}
          type="button"
          className={`btn btn-sm btn-outline-secondary${view === current ? ' active' : ''}`}
          aria-pressed={view === current}
          aria-label={labels[view]}
          title={labels[view]}
          onClick={() => onShow(view)}
        >
          <Icon name={icons[view]} />
        </button>
      ))}
    </div>
  );
}
