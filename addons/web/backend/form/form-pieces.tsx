import type { ReactNode } from 'react';
import { FormConflict } from './conflict-dialog.tsx';
import { FieldRow } from './field-row.tsx';
import { FormBody } from './form-body.tsx';
import { FormProvider } from './form-context.tsx';
import { StatusBar } from './status-bar.tsx';
import type { RecordFormState } from './use-record-form.tsx';

/** Everything between a form's head and its end: what is wrong, picture and title, sections, tabs. */
export function FormPieces({ state, beside }: { state: RecordFormState; beside?: ReactNode }) {
  const { info, id, form, live, mayChange, message } = state;
  const { title, image, status } = info.form;
  const inHead = [title, image].flatMap((name) => (name && Object.hasOwn(info.fields, name) ? [name] : []));
  return (
    <FormProvider value={{ info, id, control: form.control, mayChange, live }}>
      {message && (
        <p className="alert alert-danger" role="alert" data-slot="form-message">
          {message}
        </p>
      )}
      {(status || beside) && (
        <div className="form-status">
          {beside}
          {status && info.fields[status] && <StatusBar field={info.fields[status]} value={live[status]} />}
        </div>
      )}
      {inHead.length > 0 && (
        <div className={`form-head${image ? ' form-head-image' : ''}`}>
          {[image, title].map((name) => name && <FieldRow key={name} item={plainItem(name)} />)}
        </div>
      )}
      <FormBody without={new Set(inHead)} />
      {state.conflicts && <FormConflict state={state} />}
    </FormProvider>
  );
}

function plainItem(field: string) {
  return { field, label: null, widget: null, when: null, columns: null, wide: false };
}
