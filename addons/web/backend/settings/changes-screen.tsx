import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { notify, plural, t } from 'pergola/browser';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { BusyButton } from '../../kit/busy-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { recordAddress } from '../lib/addresses.ts';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { useTrouble } from '../lib/trouble.tsx';
import { Crumbs } from '../shell/crumbs.tsx';
import { type Change, settingsCalls, type Undo } from './calls.ts';
import { CardTable, Moment } from './parts.tsx';

/** Changes of users, newest first, with a button to undo each: all, or those of a person or record in the address. */
export function ChangesScreen() {
  const [query] = useSearchParams();
  const by = query.get('by');
  const model = query.get('model');
  const id = Number(query.get('id'));
  const name = query.get('name');
  const filter = { ...(by && { by }), ...(model && { model }), ...(model && id > 0 && { id }) };
  const { data } = useQuery({ queryKey: ['changes', filter], queryFn: () => settingsCalls.changes(filter) });
  const [undoing, setUndoing] = useState<{ readonly id: number; readonly trial: Undo } | null>(null);
  const report = useTrouble();
  const attempt = useMutation({
    mutationFn: async ({ id }: Change) => ({ id, trial: await settingsCalls.tryUndo({ id }) }),
    onSuccess: setUndoing,
    onError: report,
  });
  return (
    <>
      <Crumbs current={t('Changes')} />
      <p className="text-body-secondary">
        {t('What people saved, imported or deleted. Undoing a change keeps whatever was changed afterwards.')}
      </p>
      {(by || model) && (
        <p>
          {t('Only: {what}', { what: by ?? name ?? model ?? '' })}{' '}
          <Link to="/web/settings/changes">{t('Show all changes')}</Link>
        </p>
      )}
      {data?.length === 0 && <p>{t('Nobody has changed anything yet.')}</p>}
      {data && data.length > 0 && (
        <CardTable label={t('Changes')} head={[t('Time'), t('User'), t('Records'), t('Actions')]}>
          {data.map((change) => (
            <ChangeRow
              key={change.id}
              change={change}
              isBusy={attempt.isPending && attempt.variables.id === change.id}
              onUndo={() => attempt.mutate(change)}
            />
          ))}
        </CardTable>
      )}
      {undoing && <UndoDialog {...undoing} onClose={() => setUndoing(null)} />}
    </>
  );
}

/** Asks with the result of a trial, which names what stays as it is. */
function UndoDialog({ id, trial, onClose }: { id: number; trial: Undo; onClose(): void }) {
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: (partial: boolean) => settingsCalls.undo({ id, partial }),
    onSuccess: async ({ undone }) => {
      notify(plural('{n} record was restored.', '{n} records were restored.', undone));
      onClose();
      await client.invalidateQueries();
    },
    onError: onClose,
  });
  const isPartial = trial.conflicts > 0;
  return (
    <Dialog
      title={t('Undo this change?')}
      onClose={onClose}
      slot="undo"
      submit={isPartial ? t('Undo the rest') : t('Undo change')}
      busy={undo.isPending}
      onSubmit={trial.undone > 0 ? () => undo.mutate(isPartial) : undefined}
      {...(trial.undone === 0 && {
        foot: (
          <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
            {t('Close')}
          </button>
        ),
      })}
    >
      <p>
        {trial.undone === 0
          ? t('Nothing can be restored.')
          : plural('{n} record will be restored.', '{n} records will be restored.', trial.undone)}
      </p>
      <Reasons title={t('Changed since, stays as it is:')} texts={trial.refused} />
      <Reasons title={t('Can’t be undone:')} texts={trial.irreversible} />
    </Dialog>
  );
}

function Reasons({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <>
      <p className="mb-1">{title}</p>
      <ul>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </>
  );
}

function ChangeRow({ change, isBusy, onUndo }: { change: Change; isBusy: boolean; onUndo(): void }) {
  const { at, by, from, records, more, undone, isPartlyUndone, undoOf } = change;
  return (
    <tr>
      <td data-label={t('Time')}>
        <Moment iso={at} />
      </td>
      <td data-label={t('User')}>
        <Link to={`/web/settings/changes?${new URLSearchParams({ by })}`}>{by}</Link>
        <small className="d-block text-body-secondary" translate="no">
          {from}
        </small>
      </td>
      <td data-label={t('Records')}>
        {undoOf !== null && <span className="tag">{t('Undo of an earlier change')}</span>}
        <ul className="list-unstyled mb-0">
          {records.map((record) => (
            <li key={`${record.model} ${record.id}`}>
              <RecordLine {...record} />
            </li>
          ))}
          {more > 0 && <li>{t('and {n} more', { n: formatNumber(more) })}</li>}
        </ul>
      </td>
      <td>
        {undone ? (
          t('Undone')
        ) : (
          <BusyButton
            type="button"
            className="btn btn-sm btn-outline-secondary"
            busy={isBusy}
            onClick={onUndo}
            aria-label={t('{action}: {name}', { action: t('Undo change'), name: nameOf(change) })}
          >
            <Icon name="arrow-counterclockwise" /> {t('Undo change')}
          </BusyButton>
        )}
        {isPartlyUndone && <small className="d-block">{t('Partly undone')}</small>}
      </td>
    </tr>
  );
}

/** Name for the button of a change. */
function nameOf({ records: [first], by, id }: Change): string {
  return first?.name || `${by} ${id}`;
}

function RecordLine({ model, id, name, label, kind }: Change['records'][number]) {
  const title = name || `#${id}`;
  return (
    <>
      {kindText(kind)} {label} {kind === 'deleted' ? `“${title}”` : <Link to={recordAddress(model, id)}>{title}</Link>}
    </>
  );
}

function kindText(kind: Change['records'][number]['kind']): string {
  if (kind === 'created') return t('Created:');
  return kind === 'deleted' ? t('Deleted:') : t('Changed:');
}
