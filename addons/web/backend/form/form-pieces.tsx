import type { ReactNode } from 'react';
import { FormConflict } from './conflict-dialog.tsx';
import { FieldRow } from './field-row.tsx';
import { FormBody } from './form-body.tsx';
import { FormProvider } from './form-context.tsx';
import { StatusBar } from './status-bar.tsx';
import type { RecordFormState } from './use-record-form.tsx';
import { inState } from './view.ts';

/** Body of a form: errors, image and title, sections and tabs. */
export function FormPieces({
  state,
  statusContent,
  counts,
  presetFields = [],
}: {
  state: RecordFormState;
  presetFields?: readonly string[];
  statusContent?: ReactNode;
  counts?: ReactNode;
}) {
  const { info, id, form, live, mayChange, message } = state;
  const { title, image, status } = info.form;
  const inHead = [title, image].flatMap((name) => (name && Object.hasOwn(info.fields, name) ? [name] : []));
  // A read-only title is already shown above the form.
  const isTitleShown = title && info.fields[title] && mayChange && !inState(info.fields[title], live).readonly;
  // A record that is only being filled in has no status yet.
  const isStateShown = status !== null && presetFields.length === 0;
  const head = [image, isTitleShown ? title : null].filter((name) => name !== null && inHead.includes(name));
  return (
    <FormProvider value={{ info, id, control: form.control, mayChange, presetFields, live }}>
      {message && (
        <p className="alert alert-danger" role="alert" data-slot="form-message">
          {message}
        </p>
      )}
      {(isStateShown || statusContent) && (
        <div className="form-status">
          {statusContent}
          {isStateShown && info.fields[status] && <StatusBar field={info.fields[status]} value={live[status]} />}
        </div>
      )}
      {(head.length > 0 || counts) && (
        <div className={`form-head${image ? ' form-head-image' : ''}`}>
          {head.map((name) => name && <FieldRow key={name} item={plainItem(name)} />)}
          {counts}
        </div>
      )}
      <FormBody hiddenFields={new Set(inHead)} />
      {state.conflicts && <FormConflict state={state} />}
    </FormProvider>
  );
}

function plainItem(field: string) {
  return { field, label: null, widget: null, when: null, columns: null, wide: false };
}
