import { useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useMemo, useRef, useState } from 'react';
import { searchRead, type WireRecord } from '../lib/calls.ts';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import { keys } from '../lib/queries.ts';
import { useRecordMove } from '../list/use-record-move.tsx';
import { fieldsFor, type Group, groupTitle, useGroups } from '../list/use-records.ts';
import { Waiting } from '../shell/waiting.tsx';
import { boardColumns } from './board-columns.ts';
import { Card, cardColumns, type KanbanProps } from './card.tsx';

/** Number of cards per column at first, and for each "more". */
const CARDS_PER_PAGE = 40;

/** Cards in columns, one for each value. Cards move by dragging or through their menu. */
export function KanbanColumns(props: KanbanProps & { by: string }) {
  const { info, domain, state, view, by: grouping } = props;
  const order = state.order || info.list.order;
  // Each column loads its own records.
  const empty = useMemo(() => new Map<string, never>(), []);
  const { lines, error, isReady } = useGroups(info, {
    domain,
    order,
    groupBy: [grouping],
    columns: cardColumns(view),
    open: empty,
    more: empty,
    enabled: true,
  });
  const field = info.fields[grouping.split(':')[0] ?? grouping];
  const existing = lines.flatMap((line) => (line.kind === 'group' ? [line.group] : []));
  const groups = boardColumns(existing, field, domain);
  const isMovable =
    info.may.write && field !== undefined && !field.readonly && movable.has(field.kind) && !grouping.includes(':');
  const { move, dialog } = useRecordMove(info);
  /** The dragged card and its column. */
  const dragged = useRef<Dragged | null>(null);
  const send = ({ record, from }: Dragged, to: Group): void => {
    const seen = { [grouping]: from.totals[grouping] ?? false };
    const message = t('Moved to “{name}”.', { name: groupTitle(to) });
    void move({ record, values: { [grouping]: to.totals[grouping] }, seen, successMessage: message });
  };
  if (!isReady) return error ? null : <Waiting />;
  return (
    <div className="backend-board" data-slot="kanban">
      {groups.length === 0 && <p className="backend-nothing">{t('Nothing here yet.')}</p>}
      {groups.map((group) => (
        <Column
          key={group.path}
          {...props}
          group={group}
          order={order}
          targets={isMovable ? groups.filter((target) => target.path !== group.path) : []}
          onMove={(record, target) => send({ record, from: group }, target)}
          onDrag={(record) => {
            dragged.current = { record, from: group };
          }}
          onDropped={() => {
            if (dragged.current && dragged.current.from.path !== group.path) send(dragged.current, group);
            dragged.current = null;
          }}
        />
      ))}
      {dialog}
    </div>
  );
}

const movable: ReadonlySet<string> = new Set(['many2one', 'selection', 'boolean']);

interface Dragged {
  readonly record: WireRecord;
  readonly from: Group;
}

function Column({
  info,
  view,
  menu,
  group,
  order,
  targets,
  onMove,
  onDrag,
  onDropped,
}: KanbanProps & {
  group: Group;
  order: string;
  targets: readonly Group[];
  onMove(record: WireRecord, target: Group): void;
  onDrag(record: WireRecord): void;
  onDropped(): void;
}) {
  const [limit, setLimit] = useState(CARDS_PER_PAGE);
  const [isOver, setOver] = useState(false);
  const fields = fieldsFor(info, cardColumns(view));
  const cards = useQuery({
    queryKey: keys.list(info.name, { domain: group.domain, order, fields, limit, cards: true }),
    queryFn: () => searchRead(info.name, { domain: group.domain, fields, order, limit }),
    placeholderData: (previous) => previous,
  });
  const isTarget = targets.length > 0;
  return (
    <section
      className={`backend-board-column${isOver ? ' over' : ''}`}
      aria-label={groupTitle(group)}
      data-group={group.label}
      onDragOver={(event) => {
        if (!isTarget || !event.dataTransfer.types.includes(dragType)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!event.dataTransfer.types.includes(dragType)) return;
        event.preventDefault();
        onDropped();
      }}
    >
      <h2>
        {groupTitle(group)} <span className="backend-badge">{formatNumber(group.count)}</span>
      </h2>
      <ul className="backend-board-cards">
        {(cards.data ?? []).map((record) => (
          <li
            key={record.id}
            draggable={isTarget}
            onDragStart={(event) => {
              event.dataTransfer.setData(dragType, String(record.id));
              onDrag(record);
            }}
          >
            <Card
              record={record}
              info={info}
              view={view}
              menu={menu}
              tools={
                isTarget && (
                  <MenuButton
                    title={t('Move {name}', { name: String(record.display_name) })}
                    label={<Icon name="three-dots-vertical" />}
                    className="btn btn-sm btn-icon"
                    end
                  >
                    <p className="backend-menu-head">{t('Move to')}</p>
                    {targets.map((target) => (
                      <button
                        key={target.path}
                        type="button"
                        className="dropdown-item"
                        onClick={() => onMove(record, target)}
                      >
                        {groupTitle(target)}
                      </button>
                    ))}
                  </MenuButton>
                )
              }
            />
          </li>
        ))}
      </ul>
      {group.count > limit && (
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          onClick={() => setLimit(limit + CARDS_PER_PAGE)}
        >
          {t('Show more ({n} left)', { n: formatNumber(group.count - limit) })}
        </button>
      )}
    </section>
  );
}

const dragType = 'application/x-pergola-card';
