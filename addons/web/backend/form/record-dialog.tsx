import { confirmDialog, t } from 'pergola/browser';
import { Suspense } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import type { RecordDialogProps } from '../fields/making.tsx';
import type { Picked } from '../fields/record-picker.tsx';
import { heldNotice } from '../lib/button-question.ts';
import { callKw } from '../lib/calls.ts';
import { useModel } from '../lib/queries.ts';
import { useStart } from '../lib/start.tsx';
import { FormPieces } from './form-pieces.tsx';
import { useRecordForm } from './use-record-form.tsx';

/** Record form in a dialog, on top of another form. */
export function RecordDialog(props: RecordDialogProps) {
  return (
    <Suspense>
      <Window {...props} />
    </Suspense>
  );
}

function Window({ model, id, name = '', defaults = {}, action, mails = false, onClose, onSaved }: RecordDialogProps) {
  const info = useModel(model);
  const { keepsMails } = useStart();
  const nameDefault = name !== '' && info.nameField ? { [info.nameField]: name } : {};
  const state = useRecordForm(model, id, { defaults: { ...defaults, ...nameDefault } });
  // Values passed with an action are shown read-only.
  const presetFields = action === undefined ? [] : Object.keys(defaults).filter((field) => defaults[field]);
  const save = async (): Promise<void> => {
    const saved = await state.save();
    if (saved === null) return;
    const [nameRow] = await callKw<readonly Picked[]>(model, 'name_get', [[saved]]);
    onSaved(nameRow ?? [saved, String(saved)]);
  };
  const close = async (): Promise<void> => {
    if (
      state.isDirty &&
      !(await confirmDialog(t('Leave without saving your changes?'), { yes: t('Leave'), no: t('Stay') }))
    )
      return;
    onClose();
  };
  const ownTitle =
    id === 'new' ? t('New: {name}', { name: info.label }) : String(state.record.display_name ?? info.label);
  return (
    <Dialog
      title={action ?? ownTitle}
      onClose={() => void close()}
      wide
      slot="record-dialog"
      onSubmit={state.mayChange ? () => void save() : undefined}
      submit={action ?? t('Save')}
      cancel={action === undefined ? t('Cancel') : t('Go back')}
      busy={state.isSaving}
    >
      {mails && keepsMails && <p className="text-warning-emphasis">{heldNotice()}</p>}
      <FormPieces state={state} presetFields={presetFields} />
    </Dialog>
  );
}
