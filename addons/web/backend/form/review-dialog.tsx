import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { notify, t } from 'pergola/browser';
import { useEffect, useRef, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { Check } from '../../kit/field.tsx';
import { callKw } from '../lib/calls.ts';
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
  /** Null until the user changes the server's selection. */
  const [selected, setSelected] = useState<readonly number[] | null>(null);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['review', model, changes, id, selected],
    queryFn: () => callKw<ChangeReview>(model, changes, [[id]], selected ? { selected } : {}),
    placeholderData: keepPreviousData,
    gcTime: 0,
    staleTime: 0,
  });
  const rows = data?.rows ?? [];
  const selectedIds = selected ?? rows.filter((row) => row.selected).map((row) => row.id);
  const make = useMutation({
    mutationFn: () => callKw(model, apply, [[id]], { version: data?.version, selected: selectedIds }),
    onSuccess: () => {
      notify(t('Done: {what}', { what: label }));
      onApplied();
    },
    // The record changed in the meantime: reloads, so the user sees the new state before deciding again.
    onError: () => void refetch(),
  });
  const mayApply = selectedIds.length > 0 && !isPlaceholderData && !make.isPending;
  return (
    <Dialog
      title={label}
      onClose={onClose}
      onSubmit={rows.length > 0 ? () => make.mutate() : undefined}
      submit={t('Apply')}
      disabled={!mayApply}
      wide
      slot="review"
      foot={
        data && rows.length > 0 ? (
          <dl className="form-review-totals" aria-live="polite">
            {data.totals.map(({ label: name, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        ) : (
          <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
            {t('Close')}
          </button>
        )
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
            <Check
              wrap="form-review-label"
              label={t('Select all')}
              checked={isAll}
              onChange={() => onSelect(isAll ? [] : rows.map(({ id }) => id))}
            />
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
  return (
    <tr>
      <td>
        <Check
          wrap="form-review-label"
          label={label}
          help={notes.join(' · ')}
          checked={isChosen}
          onChange={() => onToggle(id)}
        />
      </td>
      {cells.map((cell, index) => (
        <td key={columns[index]} className="text-end" data-label={columns[index]}>
          {cell}
        </td>
      ))}
    </tr>
  );
}
