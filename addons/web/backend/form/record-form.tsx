import { t } from 'pergola/browser';
import { lazy, Suspense } from 'react';
import { useWindowEvent } from '../../kit/use-window-event.ts';
import { Crumbs } from '../shell/crumbs.tsx';
import { FormActions } from './form-actions.tsx';
import { FormButtons } from './form-buttons.tsx';
import { FormPieces } from './form-pieces.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { RecordCounts } from './record-counts.tsx';
import { useRecordForm } from './use-record-form.tsx';

const Chatter = lazy(async () => ({ default: (await import('../chatter/chatter.tsx')).Chatter }));

/** Record of a form, and callbacks for its events. */
export interface RecordFormProps {
  readonly model: string;
  readonly id: number | 'new';
  /** Initial values of a new record, on top of the model's defaults. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  onSaved?(id: number): void;
  /** Called after the record was deleted. */
  onDeleted?(): void;
  /** Called after the record was duplicated. */
  onCopied?(id: number): void;
}

/** Form of a record, rendered from the model's view, with the record's thread next to it. */
export function RecordForm({ model, id, defaults, onSaved, onDeleted, onCopied }: RecordFormProps) {
  const state = useRecordForm(model, id, { defaults, onSaved });
  const { info, record, isDirty, isSaving, mayChange } = state;
  const title = id === 'new' ? t('New: {name}', { name: info.label }) : String(record.display_name || info.label);
  const hasThread = id !== 'new' && info.mixins.includes('mail.thread');
  useSaveKey(state.save, mayChange);
  return (
    <div className={`form-screen${hasThread ? ' form-screen-thread' : ''}`} data-slot="form">
      <form
        noValidate
        className="form-main"
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          void state.save();
        }}
      >
        <div className="form-bar">
          <Crumbs current={title} />
          <div className="form-bar-tools">
            {mayChange && (
              <>
                <button
                  type="submit"
                  className={`btn ${isDirty || id === 'new' ? 'btn-primary' : 'btn-outline-secondary'}`}
                  disabled={isSaving}
                  title={t('Save (Ctrl+S)')}
                >
                  {t('Save')}
                </button>
                {isDirty && (
                  <button type="button" className="btn btn-outline-secondary" onClick={state.discard}>
                    {t('Discard')}
                  </button>
                )}
              </>
            )}
            <FormActions state={state} name={title} onDeleted={onDeleted} onCopied={onCopied} />
          </div>
        </div>
        <div className="form-sheet">
          <FormPieces
            state={state}
            counts={id !== 'new' && info.form.hasCounts && <RecordCounts model={model} id={id} />}
            statusContent={
              <>
                {record.active === false && id !== 'new' && <span className="tag form-archived">{t('Archived')}</span>}
                {id !== 'new' && <FormButtons state={state} />}
              </>
            }
          />
        </div>
        <LeaveGuard isDirty={isDirty && !isSaving} />
      </form>
      {hasThread && (
        <Suspense>
          <Chatter model={model} id={id} />
        </Suspense>
      )}
    </div>
  );
}

/** Saves on Ctrl+S, wherever the focus is. */
function useSaveKey(save: () => Promise<number | null>, mayChange: boolean): void {
  useWindowEvent('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's' || event.altKey) return;
    event.preventDefault();
    // A dialog on top of the form has its own buttons.
    if (!mayChange || document.querySelector('dialog[open]')) return;
    // Blurs the active input so that its unfinished value is saved, then returns the focus to it.
    const active = document.activeElement;
    if (active instanceof HTMLElement && active !== document.body) {
      active.blur();
      active.focus({ preventScroll: true });
    }
    void save();
  });
}
