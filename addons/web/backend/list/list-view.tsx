import { plural, t } from 'pergola/browser';
import { startTransition, useEffect, useMemo, useState } from 'react';
import { useLocation } from 'react-router';
import { Icon } from '../lib/icon.tsx';
import { PageBar } from '../lib/page-bar.tsx';
import { useNarrow } from '../lib/use-narrow.ts';
import { useListMemory } from '../shell/list-memory.tsx';
import { Waiting } from '../shell/waiting.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { type ColumnChoice, declaredColumn } from './columns.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { PAGE_SIZE } from './list-state.ts';
import { PhoneList } from './phone-list.tsx';
import { RecordTable } from './record-table.tsx';
import type { RecordsProps } from './records-screen.tsx';
import { emptySelection, type Selection, selectionSize } from './selection.ts';
import { type Group, type Line, useGroups, usePage } from './use-records.ts';

/** Records as rows of a table, grouped or paged; on phones as cards. */
export function ListView(
  props: RecordsProps & {
    columns: {
      columns: readonly ColumnChoice[];
      setColumns(columns: readonly ColumnChoice[]): void;
      reset(): void;
    };
  },
) {
  const { info, domain, state, setState, menu, title, columns: columnState } = props;
  const { columns } = columnState;
  const order = state.order || info.list.order;
  const isGrouped = state.groupBy.length > 0;
  const [selection, setSelection] = useState<Selection>(emptySelection);
  const [isEditing, setEditing] = useState(info.list.editable && info.may.write);
  const isNarrow = useNarrow();
  const flat = usePage(info, { domain, order, page: isGrouped ? 0 : state.page, columns });
  const tree = useTree(props, order);
  useRemembered(info.name, flat.records.data, { total: flat.summary.data?.count, page: state.page, title, isGrouped });
  const flatLines = useMemo<Line[]>(
    () => (flat.rows ?? []).map((record) => ({ kind: 'record', key: String(record.id), record, depth: 0 })),
    [flat.rows],
  );
  const lines = isGrouped ? tree.lines : flatLines;
  const total = flat.summary.data?.count ?? null;
  const isReady = isGrouped ? tree.isReady : flat.rows !== undefined;
  // Other records are listed: the selected ones may no longer be visible.
  const domainText = JSON.stringify(domain);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares the domain by its text
  useEffect(() => setSelection(emptySelection), [domainText, state.page]);
  // Rows of the previous search disappear in a moment; a selection of them would be invisible.
  const isStale = isGrouped ? tree.isStale : flat.records.isPlaceholderData;
  if (!isReady) return flat.records.error || tree.error ? null : <Waiting />;
  const shared = {
    info,
    lines,
    columns,
    menu,
    selection,
    setSelection: isStale ? ignoreSelection : setSelection,
    isStale,
    onToggle: tree.toggle,
    onMore: tree.showMore,
    groupBy: state.groupBy,
  };
  const chosenCount = selectionSize(selection, total ?? 0);
  const pagedTotal = !isGrouped && total !== null && (state.page > 0 || total > PAGE_SIZE) ? total : null;
  return (
    <div className="backend-list" data-slot="list">
      <div className="backend-list-bar">
        {chosenCount > 0 ? (
          <BulkBar
            info={info}
            selection={selection}
            setSelection={setSelection}
            domain={domain}
            order={order}
            total={total ?? 0}
            columns={columns}
            visibleCount={lines.length}
          />
        ) : (
          // On a phone, the pager has the total, and both don't fit on one line.
          <p
            className={isNarrow && pagedTotal !== null ? 'visually-hidden' : 'backend-count'}
            role="status"
            data-slot="count"
          >
            {total === null ? '' : plural('{n} record', '{n} records', total)}
          </p>
        )}
        <div className="backend-list-tools">
          {info.may.write && !info.appendOnly && !isNarrow && (
            <button
              type="button"
              className={`btn btn-sm btn-outline-secondary${isEditing ? ' active' : ''}`}
              aria-pressed={isEditing}
              data-slot="edit-cells"
              // Rerenders all cells as a transition, so it doesn't block other input.
              onClick={() => startTransition(() => setEditing(!isEditing))}
            >
              <Icon name="pencil" /> {t('Edit in the list')}
            </button>
          )}
          <ColumnsMenu info={info} columns={columns} onChange={columnState.setColumns} onReset={columnState.reset} />
          {pagedTotal !== null && (
            <PageBar
              limit={PAGE_SIZE}
              offset={state.page * PAGE_SIZE}
              total={pagedTotal}
              onGo={(offset) => setState({ page: offset / PAGE_SIZE })}
            />
          )}
        </div>
      </div>
      {lines.length === 0 ? (
        <Nothing isFiltered={state.chips.length > 0} onAll={() => setState({ chips: [], saved: null })} />
      ) : isNarrow ? (
        <PhoneList {...shared} />
      ) : (
        <RecordTable
          {...shared}
          order={state.order}
          onOrder={(next) => setState({ order: next, saved: null })}
          onColumns={columnState.setColumns}
          isEditing={isEditing}
          totals={hasTotals(info, columns) ? (flat.summary.data?.totals ?? {}) : null}
        />
      )}
    </div>
  );
}

const ignoreSelection = (): void => {};

function hasTotals(info: RecordsProps['info'], columns: readonly ColumnChoice[]): boolean {
  return columns.some(({ field }) => declaredColumn(info, field).total !== null);
}

/** Expanded groups, and the number of records shown in each. */
function useTree({ info, domain, state, columns }: Parameters<typeof ListView>[0], order: string) {
  const [open, setOpen] = useState<ReadonlyMap<string, { path: string; depth: number; domain: Group['domain'] }>>(
    new Map(),
  );
  const [more, setMore] = useState<ReadonlyMap<string, number>>(new Map());
  const { groupBy } = state;
  const stamp = JSON.stringify([groupBy, domain]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: collapses all when the groups change
  useEffect(() => setOpen(new Map()), [stamp]);
  const groups = useGroups(info, {
    domain,
    order,
    groupBy,
    columns: columns.columns,
    open,
    more,
    enabled: groupBy.length > 0,
  });
  return {
    ...groups,
    toggle: ({ path, depth, domain: groupDomain }: Group): void => {
      const next = new Map([...open].filter(([key]) => key !== path && !key.startsWith(`${path}/`)));
      if (!open.has(path)) next.set(path, { path, depth: depth + 1, domain: groupDomain });
      setOpen(next);
    },
    showMore: ({ path }: Group): void => setMore(new Map(more).set(path, (more.get(path) ?? PAGE_SIZE) + PAGE_SIZE)),
  };
}

/** Remembers the list for forms, which page through it. */
function useRemembered(
  model: string,
  records: readonly { readonly id: number }[] | undefined,
  list: { total: number | undefined; page: number; title: string; isGrouped: boolean },
): void {
  const memory = useListMemory();
  const { pathname, search } = useLocation();
  const { total, page, title, isGrouped } = list;
  useEffect(() => {
    if (!records || total === undefined || isGrouped) return;
    const ids = records.map(({ id }) => id);
    memory.set(model, { ids, total, offset: page * PAGE_SIZE, label: title, to: `${pathname}${search}` });
  }, [memory, model, records, total, page, title, pathname, search, isGrouped]);
}

function Nothing({ isFiltered, onAll }: { isFiltered: boolean; onAll(): void }) {
  return (
    <div className="backend-nothing" data-slot="nothing">
      <p>{isFiltered ? t('No records match your search.') : t('Nothing here yet.')}</p>
      {isFiltered && (
        <button type="button" className="btn btn-outline-secondary" onClick={onAll}>
          {t('Show all')}
        </button>
      )}
    </div>
  );
}
