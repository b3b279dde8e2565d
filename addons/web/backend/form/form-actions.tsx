import { useMutation, useQueryClient } from '@tanstack/react-query';
import { confirmDialog, notify, t } from 'pergola/browser';
import { useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router';
import { recordAddress } from '../lib/addresses.ts';
import { confirmWrite } from '../lib/ask-first.ts';
import { callKw, writeRecords } from '../lib/calls.ts';
import { newChangeKey } from '../lib/change-key.ts';
import { formatNumber } from '../lib/format.ts';
import { addressOf } from '../lib/go.tsx';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import { Turn } from '../lib/page-bar.tsx';
import { keys } from '../lib/queries.ts';
import { useStart } from '../lib/start.tsx';
import { useDoneMessage } from '../lib/undo.tsx';
import { useListMemory } from '../shell/list-memory.tsx';
import { type ThingToDo, useOffered } from '../shell/things-to-do.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { documentsOf } from './documents.ts';
import type { RecordFormState } from './use-record-form.tsx';

const TRAIL = 'ir.audit';

/** Address of a record's audit trail. */
function trailOf(model: string, id: number, name: string): string {
  const domain = [
    ['res_model', '=', model],
    ['res_id', '=', id],
  ];
  const condition = { label: name, domain };
  return addressOf({ model: TRAIL, menu: 'web.menu_audit', view: null, filter: null, condition });
}

/** Address of the changes of a record, to undo them. */
function changesOf(model: string, id: number, name: string): string {
  return `/web/settings/changes?${new URLSearchParams({ model, id: String(id), name })}`;
}

/** Actions on the record: previous and next, new, duplicate, archive, delete. */
export function FormActions({
  state,
  name,
  onDeleted,
  onCopied,
}: {
  state: RecordFormState;
  name: string;
  onDeleted?(): void;
  onCopied?(id: number): void;
}) {
  const { info, id, record, isDirty } = state;
  const [query] = useSearchParams();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { user } = useStart();
  const showDone = useDoneMessage();
  const [isDeleting, setDeleting] = useState(false);
  const menu = query.get('menu');
  const copy = useMutation({
    mutationFn: () => callKw<number>(info.name, 'copy', [Number(id)]),
    onSuccess: async (copyId) => {
      notify(t('You’re viewing the copy.'));
      await client.invalidateQueries({ queryKey: keys.records(info.name) });
      onCopied?.(copyId);
    },
  });
  const archive = useMutation({
    mutationFn: async () => {
      const values = { active: record.active === false };
      const changeKey = newChangeKey();
      await confirmWrite(info, [Number(id)], values);
      await writeRecords(info.name, [Number(id)], values, { change_key: changeKey });
      return changeKey;
    },
    onSuccess: async (changeKey) => {
      await client.invalidateQueries({ queryKey: keys.records(info.name) });
      const text = record.active === false ? t('Unarchived.') : t('Archived.');
      showDone(text, changeKey, info);
    },
  });
  // Saves or discards unsaved changes before an action that would lose them.
  const runSettled = async (act: () => void): Promise<void> => {
    if (
      !isDirty ||
      (await confirmDialog(t('Leave without saving your changes?'), { yes: t('Leave'), no: t('Stay') }))
    ) {
      if (isDirty) state.discard();
      act();
    }
  };
  const { may, archives } = info;
  const isOld = id !== 'new';
  const page = isOld && typeof record.website_url === 'string' ? record.website_url : '';
  const acts: readonly (ThingToDo & { readonly danger?: boolean })[] = [
    ...(/^\/(?!\/)/.test(page)
      ? [
          {
            id: 'site',
            label: t('View on the website'),
            icon: 'globe',
            run: () => void window.open(page, '_blank', 'noopener'),
          },
        ]
      : []),
    ...(isOld ? documentsOf(info.form.documents, record) : []).map(({ label, address }) => ({
      id: `document ${label}`,
      label,
      icon: 'printer',
      run: () => void window.open(address, '_blank', 'noopener'),
    })),
    ...(isOld && may.create
      ? [{ id: 'copy', label: t('Duplicate'), icon: 'copy', run: () => void runSettled(() => copy.mutate()) }]
      : []),
    ...(isOld && archives && may.write
      ? [
          {
            id: 'archive',
            label: record.active === false ? t('Unarchive') : t('Archive'),
            icon: 'archive',
            run: () => void runSettled(() => archive.mutate()),
          },
        ]
      : []),
    ...(isOld && user.isAdmin && info.undoes
      ? [
          {
            id: 'changes',
            label: t('Undo a change'),
            icon: 'arrow-counterclockwise',
            run: () => void runSettled(() => void navigate(changesOf(info.name, Number(id), name))),
          },
        ]
      : []),
    ...(isOld && user.isAdmin && info.name !== TRAIL
      ? [
          {
            id: 'trail',
            label: t('Audit log'),
            icon: 'clock-history',
            run: () => void runSettled(() => void navigate(trailOf(info.name, Number(id), name))),
          },
        ]
      : []),
    ...(isOld && may.unlink
      ? [{ id: 'delete', label: t('Delete'), icon: 'trash', danger: true, run: () => setDeleting(true) }]
      : []),
  ];
  useOffered([
    ...(state.mayChange && isDirty
      ? [{ id: 'save', label: t('Save'), icon: 'check-lg', run: () => void state.save() }]
      : []),
    ...acts,
  ]);
  if (id === 'new') return null;
  return (
    <>
      <Pager model={info.name} id={id} menu={menu} />
      {may.create && (
        <Link className="btn btn-outline-secondary" to={recordAddress(info.name, 'new', menu)}>
          <Icon name="plus-lg" /> {t('New')}
        </Link>
      )}
      {acts.length > 0 && (
        <MenuButton
          label={<Icon name="three-dots-vertical" />}
          title={t('More')}
          className="btn btn-outline-secondary btn-icon"
          end
          slot="form-menu"
        >
          {acts.map(({ id: act, label, icon, danger, run }) => (
            <button
              key={act}
              type="button"
              className={`dropdown-item${danger ? ' text-danger-emphasis' : ''}`}
              onClick={run}
            >
              <Icon name={icon} /> {label}
            </button>
          ))}
        </MenuButton>
      )}
      {isDeleting && (
        <DeleteDialog
          info={info}
          ids={[id]}
          name={`“${name}”`}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            setDeleting(false);
            state.discard();
            void client.invalidateQueries({ queryKey: keys.records(info.name), refetchType: 'none' });
            onDeleted?.();
          }}
        />
      )}
    </>
  );
}

/** Pages through the list that the form was opened from. */
function Pager({ model, id, menu }: { model: string; id: number; menu: string | null }) {
  const list = useListMemory().get(model);
  const navigate = useNavigate();
  const { state } = useLocation();
  const index = list?.ids.indexOf(id) ?? -1;
  const neighbour = (step: 1 | -1): number | undefined => (index < 0 ? undefined : list?.ids[index + step]);
  const go = (step: 1 | -1): void => {
    const next = neighbour(step);
    if (next !== undefined) void navigate(recordAddress(model, next, menu), { state });
  };
  useOffered([
    ...(neighbour(-1) === undefined
      ? []
      : [{ id: 'previous', label: t('Previous'), icon: 'chevron-left', run: () => go(-1) }]),
    ...(neighbour(1) === undefined ? [] : [{ id: 'next', label: t('Next'), icon: 'chevron-right', run: () => go(1) }]),
  ]);
  if (!list || index < 0) return null;
  const n = formatNumber(list.offset + index + 1);
  const total = formatNumber(list.total);
  return (
    <div className="form-pager" data-slot="pager">
      <Turn step={-1} label={t('Previous')} disabled={index === 0} onTurn={() => go(-1)} />
      <span className="text-nowrap">{t('{n} of {total}', { n, total })}</span>
      <Turn step={1} label={t('Next')} disabled={index === list.ids.length - 1} onTurn={() => go(1)} />
    </div>
  );
}
