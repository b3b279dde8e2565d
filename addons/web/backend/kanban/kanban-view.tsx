import { t } from 'pergola/browser';
import { PAGE_SIZE } from '../list/list-state.ts';
import { usePage } from '../list/use-records.ts';
import { Waiting } from '../shell/waiting.tsx';
import { Card, cardColumns, type KanbanProps } from './card.tsx';
import { KanbanColumns } from './kanban-columns.tsx';

/** Kanban view: cards in columns if grouped, else in a grid. */
export default function KanbanScreen(props: KanbanProps) {
  const grouping = props.state.groupBy[0] ?? props.view.groupBy;
  return grouping ? <KanbanColumns {...props} by={grouping} /> : <Cards {...props} />;
}

function Cards({ info, domain, state, setState, menu, view }: KanbanProps) {
  const order = state.order || info.list.order;
  const { records, summary } = usePage(info, { domain, order, page: state.page, columns: cardColumns(view) });
  if (!records.data) return records.error ? null : <Waiting />;
  const total = summary.data?.count ?? 0;
  const hasMore = (state.page + 1) * PAGE_SIZE < total;
  return (
    <div className="backend-kanban" data-slot="kanban">
      {records.data.length === 0 && <p className="backend-nothing">{t('Nothing here yet.')}</p>}
      <ul className="backend-cards">
        {records.data.map((record) => (
          <li key={record.id}>
            <Card record={record} info={info} view={view} menu={menu} heading="h2" />
          </li>
        ))}
      </ul>
      {(hasMore || state.page > 0) && (
        <p className="d-flex flex-wrap gap-2">
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            disabled={state.page === 0}
            onClick={() => setState({ page: state.page - 1 })}
          >
            {t('Previous page')}
          </button>
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            disabled={!hasMore}
            onClick={() => setState({ page: state.page + 1 })}
          >
            {t('Next page')}
          </button>
        </p>
      )}
    </div>
  );
}
