import { useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useRecordDialog } from '../../fields/making.tsx';
import { type EditProps, type ShowProps, widgetFor } from '../../fields/registry.tsx';
import { callKw, fetchModel, readRecords } from '../../lib/calls.ts';
import { companionsOf, formatNumber } from '../../lib/format.ts';
import { Icon } from '../../lib/icon.tsx';
import { keys } from '../../lib/queries.ts';
import { useTrouble } from '../../lib/trouble.tsx';
import type { FieldInfo } from '../../types.ts';
import { useItem, useRecordFormContext } from '../form-context.tsx';
import { idsOf, isLines, type Line, type Lines, shownOf } from '../values.ts';
import { columnsOf, toRead } from './line-columns.ts';
import { LineRow, lineWidgets } from './line-row.tsx';

/** Number of lines shown until the user asks for all. */
const INITIAL_ROWS = 40;

function useLines(field: FieldInfo, value: unknown, viewColumns: readonly string[] | null) {
  const relation = field.relation ?? '';
  const info = useQuery({ queryKey: keys.model(relation), queryFn: () => fetchModel(relation), staleTime: 5 * 60_000 });
  const columns = info.data ? columnsOf(info.data, viewColumns, field.relationField) : [];
  const names = info.data ? toRead(info.data, columns) : [];
  const ids = idsOf(value);
  const rows = useQuery({
    queryKey: keys.lines(relation, ids, names),
    queryFn: async (): Promise<readonly Line[]> => {
      const records = ids.length > 0 ? await readRecords(relation, ids, names.length > 0 ? names : ['id']) : [];
      const byId = new Map(records.map((row) => [row.id, row]));
      return ids.flatMap((id) => {
        const row = byId.get(id);
        return row ? [{ key: String(id), id, values: row, changes: {} }] : [];
      });
    },
    enabled: info.data !== undefined && !isLines(value),
    gcTime: 0,
  });
  return { info: info.data ?? null, columns, names, rows: isLines(value) ? value.lines : (rows.data ?? null) };
}

/** Read-only table of lines. */
export function LinesShow({ value, field }: ShowProps) {
  const item = useItem();
  const { info, columns, rows } = useLines(field, value, item?.columns ?? null);
  const [isAll, setAll] = useState(false);
  if (!info || !rows) return <p role="status">{t('Loading…')}</p>;
  if (rows.length === 0) return <p className="text-body-secondary mb-0">{t('None yet.')}</p>;
  const visible = isAll ? rows : rows.slice(0, INITIAL_ROWS);
  return (
    <div className="form-lines">
      <table className="table table-sm">
        <Head columns={columns} label={field.label} />
        <tbody>
          {visible.map((line) => (
            <tr key={line.key}>
              {columns.map((column) => {
                const { Show, isNumber } = widgetFor(column, null, lineWidgets);
                const record = { id: line.id, ...shownOf(line) };
                return (
                  <td key={column.name} data-label={column.label} className={isNumber ? 'text-end' : ''}>
                    <Show value={shownOf(line)[column.name]} field={column} record={record} model={info.name} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > visible.length && <AllButton count={rows.length} onClick={() => setAll(true)} />}
    </div>
  );
}

function Head({ columns, label, more = false }: { columns: readonly FieldInfo[]; label: string; more?: boolean }) {
  return (
    <>
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.name} scope="col" className={widgetFor(column).isNumber ? 'text-end' : ''}>
              {column.label}
              {more && column.required && !column.readonly && (
                <span className="text-danger" aria-hidden="true">
                  {' '}
                  *
                </span>
              )}
            </th>
          ))}
          {more && (
            <th scope="col">
              <span className="visually-hidden">{t('Actions')}</span>
            </th>
          )}
        </tr>
      </thead>
    </>
  );
}

/** Returns the server's errors for the cells of a line, by column. The server names them `key.column`. */
function cellFaults({ key }: Line, faults: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(faults).flatMap(([path, text]) =>
      path.startsWith(`${key}.`) && typeof text === 'string' ? [[path.slice(key.length + 1), text]] : [],
    ),
  );
}

function AllButton({ count, onClick }: { count: number; onClick(): void }) {
  return (
    <button type="button" className="btn btn-sm btn-outline-secondary" onClick={onClick}>
      {t('Show all {n} lines', { n: formatNumber(count) })}
    </button>
  );
}

/** Table of lines that are edited in place, added and removed. Saved with the form, all or nothing. */
export function LinesEdit(props: EditProps) {
  const { value, field, id, label, onChange, describedBy } = props;
  const item = useItem();
  const { info, columns, names, rows } = useLines(field, value, item?.columns ?? null);
  const form = useRecordFormContext();
  const report = useTrouble();
  const [isAll, setAll] = useState(false);
  const [opened, setOpened] = useState<Line | null>(null);
  const RecordDialog = useRecordDialog();
  /** Next focus target: a new line, or the neighbour of a removed line. */
  const [next, setNext] = useState<{ readonly line: string; readonly selector: string } | null>(null);
  useEffect(() => {
    if (next === null) return;
    const row = document.querySelector(`[data-line="${CSS.escape(next.line)}"]`);
    (row?.querySelector<HTMLElement>(next.selector) ?? document.getElementById(id))?.focus();
    setNext(null);
  }, [next, id]);
  const removedIds = isLines(value) ? value.removedIds : [];
  /** Latest lines, because a response may arrive after the user has typed more. */
  const latest = useRef({ lines: rows ?? [], removedIds });
  latest.current = { lines: rows ?? [], removedIds };
  if (!info || !rows) return <p role="status">{t('Loading…')}</p>;
  const update = (change: (lines: readonly Line[]) => readonly Line[], out: readonly number[] = []): void => {
    const { lines, removedIds: previouslyRemoved } = latest.current;
    latest.current = { lines: change(lines), removedIds: [...previouslyRemoved, ...out] };
    onChange({
      kind: 'lines',
      ...latest.current,
      fields: info.fields,
      columns: columns.map(({ name }) => name),
    } satisfies Lines);
  };
  const add = async (): Promise<void> => {
    try {
      const defaults = await callKw<Readonly<Record<string, unknown>>>(info.name, 'default_get', [names]);
      // New lines take the currency and time zone of their record.
      const companions = columns.flatMap(companionsOf).filter((name) => !defaults[name] && form.live[name]);
      const inherited = Object.fromEntries(companions.map((name) => [name, form.live[name]]));
      const key = `new ${latest.current.lines.length} ${latest.current.removedIds.length} ${Date.now()}`;
      update((lines) => [...lines, { key, id: null, values: { ...defaults, ...inherited }, changes: {} }]);
      setAll(true);
      setNext({ line: key, selector: 'input, select, textarea' });
    } catch (error) {
      report(error);
    }
  };
  const remove = (line: Line): void => {
    const place = rows.indexOf(line);
    update((lines) => lines.filter(({ key }) => key !== line.key), line.id === null ? [] : [line.id]);
    setNext({ line: (rows[place + 1] ?? rows[place - 1])?.key ?? '', selector: '.form-line-acts button:last-child' });
  };
  const visible = isAll ? rows : rows.slice(0, INITIAL_ROWS);
  return (
    <section
      className="form-lines"
      id={id}
      tabIndex={-1}
      aria-label={label ?? field.label}
      aria-describedby={describedBy}
    >
      {visible.length > 0 && (
        <table className="table table-sm">
          <Head columns={columns} label={field.label} more />
          <tbody>
            {visible.map((line, index) => (
              <LineRow
                key={line.key}
                line={line}
                number={index + 1}
                columns={columns}
                info={info}
                isChecked={props.invalid === true}
                faults={cellFaults(line, props.faults)}
                onChange={(changes) =>
                  update((lines) =>
                    lines.map((candidate) => (candidate.key === line.key ? { ...candidate, changes } : candidate)),
                  )
                }
                onRemove={!line.follows && (info.may.unlink || line.id === null) ? () => remove(line) : null}
                onOpen={line.id === null ? null : () => setOpened(line)}
              />
            ))}
          </tbody>
        </table>
      )}
      {rows.length === 0 && <p className="text-body-secondary mb-2">{t('None yet.')}</p>}
      <div className="d-flex flex-wrap gap-2">
        {rows.length > visible.length && <AllButton count={rows.length} onClick={() => setAll(true)} />}
        {info.may.create && (
          <button type="button" className="btn btn-sm btn-outline-secondary" onClick={() => void add()}>
            <Icon name="plus-lg" /> {t('Add a line')}
          </button>
        )}
      </div>
      {opened?.id && (
        <Suspense>
          <RecordDialog
            model={info.name}
            id={opened.id}
            onClose={() => setOpened(null)}
            onSaved={() => {
              const saved = opened.id;
              setOpened(null);
              // The line's dialog has saved it: reads its new values and keeps unsaved input of other lines.
              if (saved !== null && isLines(value))
                void readRecords(info.name, [saved], names).then(([row]) => {
                  const fresh = { values: row ?? {}, computed: undefined, changes: {} };
                  if (row)
                    update((lines) =>
                      lines.map((candidate) => (candidate.id === saved ? { ...candidate, ...fresh } : candidate)),
                    );
                }, report);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
