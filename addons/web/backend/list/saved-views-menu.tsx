import { useMutation, useQueryClient } from '@tanstack/react-query';
import { confirmDialog, notify, t } from 'pergola/browser';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { Check, TextField } from '../../kit/field.tsx';
import { Icon } from '../lib/icon.tsx';
import { MenuButton } from '../lib/menu-button.tsx';
import { useStart } from '../lib/start.tsx';
import { useTrouble } from '../lib/trouble.tsx';
import type { ModelInfo } from '../types.ts';
import type { ColumnChoice } from './columns.ts';
import { emptyState, type ListState } from './list-state.ts';
import { removeView, replaceView, type SavedView, savedKey, saveView } from './saved-views.ts';
import { savedState } from './use-list-state.ts';

/** Menu of saved views, private and shared. */
export function SavedViewsMenu({
  info,
  saved,
  state,
  setState,
  columns,
}: {
  info: ModelInfo;
  saved: readonly SavedView[];
  state: ListState;
  setState(change: Partial<ListState>): void;
  columns: readonly ColumnChoice[];
}) {
  const [isSaving, setSaving] = useState(false);
  const { user } = useStart();
  const client = useQueryClient();
  const report = useTrouble();
  const reload = () => client.invalidateQueries({ queryKey: savedKey(info.name) });
  const remove = async (view: SavedView): Promise<void> => {
    const isSure = await confirmDialog(t('Delete the saved view “{name}”?', { name: view.name }), { yes: t('Delete') });
    if (!isSure) return;
    await removeView(view.id).catch(report);
    if (state.saved === view.id) setState({ saved: null });
    await reload();
  };
  const current = saved.find(({ id }) => id === state.saved);
  const mayChange = current && (current.isOwn || user.isAdmin);
  return (
    <>
      <MenuButton
        label={
          <>
            <Icon name={current ? 'star-fill' : 'star'} /> {current?.name ?? t('Saved views')}
          </>
        }
        slot="saved-views"
        end
      >
        {saved.map((view) => (
          <div className="backend-saved" key={view.id}>
            <button
              type="button"
              className="dropdown-item"
              aria-pressed={state.saved === view.id}
              onClick={() => setState(savedState(view, info))}
            >
              <span className="backend-tick">{state.saved === view.id && <Icon name="check2" />}</span>
              {view.name}
              {view.isShared && (
                <span className="text-body-secondary" title={t('Share with everyone')}>
                  <Icon name="people" />
                  <span className="visually-hidden">{t('Share with everyone')}</span>
                </span>
              )}
            </button>
            {(view.isOwn || user.isAdmin) && (
              <button
                type="button"
                className="btn btn-sm btn-icon"
                aria-label={t('Delete “{name}”', { name: view.name })}
                onClick={() => void remove(view)}
              >
                <Icon name="trash" />
              </button>
            )}
          </div>
        ))}
        {saved.length > 0 && <hr className="dropdown-divider" />}
        {(state.chips.length > 0 || state.groupBy.length > 0 || state.order !== '') && (
          <button type="button" className="dropdown-item" onClick={() => setState(emptyState)}>
            <span className="backend-tick" /> {t('Show all')}
          </button>
        )}
        {mayChange && (
          <button
            type="button"
            className="dropdown-item"
            onClick={() =>
              void replaceView(current.id, state, columns)
                .then(() => notify(t('Saved.')))
                .then(reload)
                .catch(report)
            }
          >
            <span className="backend-tick" /> {t('Save the columns in “{name}”', { name: current.name })}
          </button>
        )}
        <button type="button" className="dropdown-item" onClick={() => setSaving(true)}>
          <span className="backend-tick">
            <Icon name="plus-lg" />
          </span>
          {t('Save current view…')}
        </button>
      </MenuButton>
      {isSaving && (
        <SaveDialog
          onClose={() => setSaving(false)}
          onSave={async (choice) => {
            const id = await saveView({ ...choice, model: info.name, userId: user.id, state, columns });
            await reload();
            setSaving(false);
            setState({ saved: id, page: state.page });
            notify(t('Saved.'));
          }}
        />
      )}
    </>
  );
}

interface Chosen {
  readonly name: string;
  readonly isShared: boolean;
  readonly isDefault: boolean;
}

function SaveDialog({ onSave, onClose }: { onSave(about: Chosen): Promise<void>; onClose(): void }) {
  const [draft, setDraft] = useState<Chosen>({ name: '', isShared: false, isDefault: false });
  const save = useMutation({ mutationFn: onSave });
  return (
    <Dialog
      title={t('Save current view')}
      onClose={onClose}
      onSubmit={() => save.mutate({ ...draft, name: draft.name.trim() })}
      disabled={draft.name.trim() === ''}
      busy={save.isPending}
    >
      <TextField
        label={t('Name')}
        required
        maxLength={80}
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <Check
        label={t('Use as default')}
        checked={draft.isDefault}
        onChange={(isDefault) => setDraft({ ...draft, isDefault })}
      />
      <Check
        label={t('Share with everyone')}
        checked={draft.isShared}
        onChange={(isShared) => setDraft({ ...draft, isShared })}
      />
    </Dialog>
  );
}
