import { useMutation, useQueryClient } from '@tanstack/react-query';
import { confirmDialog, plural, t } from 'pergola/browser';
import { lazy, Suspense, useState } from 'react';
import { confirmWrite } from '../lib/ask-first.ts';
import { questionOf } from '../lib/button-question.ts';
import { callKw, writeRecords } from '../lib/calls.ts';
import { newChangeKey } from '../lib/change-key.ts';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { keys } from '../lib/queries.ts';
import { useStart } from '../lib/start.tsx';
import { useTrouble } from '../lib/trouble.tsx';
import { useDoneMessage } from '../lib/undo.tsx';
import type { Domain, ModelInfo, ViewButtonInfo } from '../types.ts';
import { BulkEdit } from './bulk-edit.tsx';
import type { ColumnChoice } from './columns.ts';
import { ExportDialog } from './export-dialog.tsx';
import { emptySelection, type Selection, selectionSize } from './selection.ts';

const DeleteDialog = lazy(async () => ({ default: (await import('../form/delete-dialog.tsx')).DeleteDialog }));

/** Maximum number of records per bulk change. */
const MAX_RECORDS = 10_000;

/** A change of the selected records. */
interface BulkChange {
  /** Whether its message offers to undo it. */
  readonly undoes: boolean;
  work(ids: readonly number[], changeKey: string): Promise<unknown>;
  /** The message for a number of records. */
  done(n: number): string;
}

/** Bulk actions for the selected records. */
export function BulkBar({
  info,
  selection,
  setSelection,
  domain,
  order,
  total,
  columns,
  visibleCount,
}: {
  info: ModelInfo;
  selection: Selection;
  setSelection(selection: Selection): void;
  domain: Domain;
  order: string;
  total: number;
  columns: readonly ColumnChoice[];
  visibleCount: number;
}) {
  const [open, setOpen] = useState<'edit' | 'export' | null>(null);
  const [deleting, setDeleting] = useState<readonly number[] | null>(null);
  const client = useQueryClient();
  const report = useTrouble();
  const showDone = useDoneMessage();
  const count = selectionSize(selection, total);
  const isWhole = !selection.all && selection.ids.size >= visibleCount && total > selection.ids.size;
  const chosenIds = async (): Promise<readonly number[]> =>
    selection.all
      ? callKw<number[]>(info.name, 'search', [domain], { order, limit: Math.min(total, MAX_RECORDS) })
      : [...selection.ids];
  const run = useMutation({
    mutationFn: async ({ work }: BulkChange) => {
      const ids = await chosenIds();
      const changeKey = newChangeKey();
      await work(ids, changeKey);
      return { changed: ids.length, changeKey };
    },
    onSuccess: async ({ changed, changeKey }, { done, undoes }) => {
      setOpen(null);
      setSelection(emptySelection);
      await client.invalidateQueries({ queryKey: keys.records(info.name) });
      showDone(done(changed), changeKey, { undoes });
    },
  });
  const { keepsMails } = useStart();
  const archive = (active: boolean): void =>
    run.mutate({
      undoes: info.undoes,
      work: async (ids, changeKey) => {
        await confirmWrite(info, ids, { active });
        await writeRecords(info.name, ids, { active }, { change_key: changeKey });
      },
      done: (n) =>
        active ? t('Unarchived: {n}.', { n: formatNumber(n) }) : t('Archived: {n}.', { n: formatNumber(n) }),
    });
  const press = async (button: ViewButtonInfo): Promise<void> => {
    const { method, label } = button;
    const question = questionOf(button, keepsMails);
    if (question && !(await confirmDialog(question, { title: label, yes: label, no: t('Go back') }))) return;
    run.mutate({
      // Most buttons have effects beyond the record, such as emails.
      undoes: false,
      work: (ids) => callKw(info.name, String(method), [ids]),
      done: (n) => t('{action}: {n}', { action: label, n: formatNumber(n) }),
    });
  };
  /** Confirms first, listing the dependent records. */
  const remove = (): void => {
    chosenIds().then(setDeleting, report);
  };
  const isTooMany = count > MAX_RECORDS;
  const isBusy = run.isPending || isTooMany;
  return (
    <div className="backend-bulk" role="toolbar" aria-label={t('Bulk actions')} data-slot="bulk">
      <span className="backend-bulk-count" role="status">
        {t('{n} selected', { n: formatNumber(count) })}
      </span>
      {isWhole && (
        <button type="button" className="btn btn-sm btn-link" onClick={() => setSelection({ all: true })}>
          {t('Select all {n}', { n: formatNumber(total) })}
        </button>
      )}
      {isTooMany && (
        <span className="text-danger">{t('Select at most {n} records.', { n: formatNumber(MAX_RECORDS) })}</span>
      )}
      {info.form.buttons
        .filter(({ bulk, method }) => bulk && method !== null)
        .map((button) => (
          <button
            key={button.label}
            type="button"
            className={`btn btn-sm ${button.primary ? 'btn-primary' : 'btn-outline-secondary'}`}
            disabled={isBusy}
            onClick={() => void press(button)}
          >
            {button.label}
          </button>
        ))}
      {info.may.write && !info.appendOnly && (
        <button
          type="button"
          className="btn btn-sm btn-outline-secondary"
          disabled={isBusy}
          onClick={() => setOpen('edit')}
        >
          <Icon name="pencil" /> {t('Edit selected')}
        </button>
      )}
      <button
        type="button"
        className="btn btn-sm btn-outline-secondary"
        disabled={isTooMany}
        onClick={() => setOpen('export')}
      >
        <Icon name="download" /> {t('Export')}
      </button>
      {info.may.write && info.archives && (
        <>
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            disabled={isBusy}
            onClick={() => archive(false)}
          >
            <Icon name="archive" /> {t('Archive')}
          </button>
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            disabled={isBusy}
            onClick={() => archive(true)}
          >
            <Icon name="arrow-counterclockwise" /> {t('Unarchive')}
          </button>
        </>
      )}
      {info.may.unlink && (
        <button type="button" className="btn btn-sm btn-outline-danger" disabled={isBusy} onClick={remove}>
          <Icon name="trash" /> {t('Delete')}
        </button>
      )}
      <button
        type="button"
        className="btn btn-sm btn-icon"
        aria-label={t('Clear selection')}
        onClick={() => setSelection(emptySelection)}
      >
        <Icon name="x-lg" />
      </button>
      {deleting && (
        <Suspense>
          <DeleteDialog
            info={info}
            ids={deleting}
            name={deleting.length === 1 ? t('this record') : plural('{n} record', '{n} records', deleting.length)}
            onClose={() => setDeleting(null)}
            onDeleted={() => {
              setDeleting(null);
              setSelection(emptySelection);
              void client.invalidateQueries({ queryKey: keys.records(info.name) });
            }}
          />
        </Suspense>
      )}
      {open === 'edit' && (
        <BulkEdit
          info={info}
          count={count}
          chosenIds={chosenIds}
          isPending={run.isPending}
          onClose={() => setOpen(null)}
          onApply={(values) =>
            run.mutate({
              undoes: info.undoes,
              work: async (ids, changeKey) => {
                await confirmWrite(info, ids, values);
                await writeRecords(info.name, ids, values, { change_key: changeKey });
              },
              done: (n) => t('Updated: {n}.', { n: formatNumber(n) }),
            })
          }
        />
      )}
      {open === 'export' && (
        <ExportDialog
          info={info}
          columns={columns.map(({ field }) => field)}
          count={count}
          domain={selection.all ? domain : [['id', 'in', [...selection.ids]]]}
          order={order}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}
