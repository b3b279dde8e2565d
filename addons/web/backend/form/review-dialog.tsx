import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { notify, t } from 'pergola/browser';
import { useEffect, useId, useRef, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { callKw } from '../lib/calls.ts';
import { useReported, useTrouble } from '../lib/trouble.tsx';
import type { ChangeReview } from '../types.ts';

type Row = ChangeReview['rows'][number];

/** Shows the changes that a button proposes and applies the selected ones. */
export function ReviewDialog({
  model,
  id,
  label,
  changes,
  apply,
  onClose,
  onApplied,
}: {
  model: string;
  id: number;
  /** Label of the button. */
  label: string;
  /** Method that returns the proposed changes. */
  changes: string;
  /** Method that applies them. */
  apply: string;
  onClose(): void;
  onApplied(): void;
}) {
  const report = useTrouble();
  /** Null until the user changes the server's selection. */
  const [selected, setSelected] = useState<readonly number[] | null>(null);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['review', model, changes, id, selected],
    queryFn: () => callKw<ChangeReview>(model, changes, [[id]], selected ? { selected } : {}),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 0,
  });
  useReported(error);
  const rows = data?.rows ?? [];
  const selectedIds = selected ?? rows.filter((row) => row.selected).map((row) => row.id);
  const make = useMutation({
    mutationFn: () => callKw(model, apply, [[id]], { version: data?.version, selected: selectedIds }),
    onSuccess: () => {
      notify(t('Done: {what}', { what: label }));
      onApplied();
    },
    // The record changed in the meantime: reloads, so the user sees the new state before deciding again.
    onError: (failure) => {
      report(failure);
      void refetch();
    },
  });
  const mayApply = selectedIds.length > 0 && !isPlaceholderData && !make.isPending;
  return (
    <Dialog
      title={label}
      onClose={onClose}
      onSubmit={() => mayApply && make.mutate()}
      wide
      slot="review"
      foot={
        <>
          {data && rows.length > 0 && (
            <dl className="form-review-totals" aria-live="polite">
              {data.totals.map(({ label: name, value }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
          <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
            {rows.length > 0 ? t('Cancel') : t('Close')}
          </button>
          {rows.length > 0 && (
            <button type="submit" className="btn btn-primary" disabled={!mayApply}>
              {t('Apply')}
            </button>
          )}
        </>
      }
    >
      {!data ? (
        error === null && <p role="status">{t('Loading…')}</p>
      ) : rows.length === 0 ? (
        <p className="mb-0">{data.empty}</p>
      ) : (
        <Changes review={data} selectedIds={selectedIds} onSelect={setSelected} />
      )}
    </Dialog>
  );
}

function Changes({
  review: { columns, rows },
  selectedIds,
  onSelect,
}: {
  review: ChangeReview;
  selectedIds: readonly number[];
  onSelect(ids: readonly number[]): void;
}) {
  const table = useRef<HTMLTableElement>(null);
  // Changes loaded after the dialog had opened.
  useEffect(() => table.current?.querySelector<HTMLElement>('tbody input')?.focus(), []);
  const isAll = rows.every(({ id }) => selectedIds.includes(id));
  const toggle = (id: number): void =>
    onSelect(selectedIds.includes(id) ? selectedIds.filter((rowId) => rowId !== id) : [...selectedIds, id]);
  return (
    <table className="table form-review" ref={table}>
      <thead>
        <tr>
          <th>
            <label>
              <input
                type="checkbox"
                className="form-check-input"
                checked={isAll}
                onChange={() => onSelect(isAll ? [] : rows.map(({ id }) => id))}
              />{' '}
              {t('Select all')}
            </label>
          </th>
          {columns.map((column) => (
            <th key={column} className="text-end">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Change key={row.id} row={row} columns={columns} isChosen={selectedIds.includes(row.id)} onToggle={toggle} />
        ))}
      </tbody>
    </table>
  );
}

function Change({
  row: { id, label, notes, cells },
  columns,
  isChosen,
  onToggle,
}: {
  row: Row;
  columns: readonly string[];
  isChosen: boolean;
  onToggle(id: number): void;
}) {
  const box = useId();
  return (
    <tr>
      <td>
        <span className="form-review-label">
          <input
            type="checkbox"
            className="form-check-input"
            id={box}
            checked={isChosen}
            aria-describedby={notes.length > 0 ? `${box}-notes` : undefined}
            onChange={() => onToggle(id)}
          />
          <label htmlFor={box}>{label}</label>
        </span>
        {notes.length > 0 && (
          <small id={`${box}-notes`} className="text-body-secondary">
            {notes.join(' · ')}
          </small>
        )}
      </td>
      {cells.map((cell, index) => (
        <td key={columns[index]} className="text-end" data-label={columns[index]}>
          {cell}
        </td>
      ))}
    </tr>
  );
}
