import { t } from 'pergola/browser';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { widgetFor } from '../fields/registry.tsx';
import { isEmpty } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { useStart } from '../lib/start.tsx';
import type { FieldInfo, FormItemInfo } from '../types.ts';
import { ItemProvider, useRecordFormContext } from './form-context.tsx';
import { TranslationsDialog } from './translations-dialog.tsx';
import { inState } from './view.ts';
import { formWidgets } from './widgets.tsx';

/** Widgets with several inputs, which render their own label. */
const namedByThemselves: ReadonlySet<string> = new Set(['one2many', 'html']);

/** A field with its label, help and error. */
export function FieldRow({ item, heading }: { item: FormItemInfo; heading?: string }) {
  const { info, live } = useRecordFormContext();
  const declared = info.fields[item.field];
  const field = declared && inState(declared, live);
  return field ? (
    <ItemProvider value={item}>
      <Row item={item} field={field} heading={heading} />
    </ItemProvider>
  ) : null;
}

function Row({ item, field, heading }: { item: FormItemInfo; field: FieldInfo; heading?: string }) {
  const { info, id, control, mayChange, presetFields, live } = useRecordFormContext();
  const { field: input, fieldState } = useController({ name: field.name, control });
  const { Show, Edit } = widgetFor(field, item.widget, formWidgets);
  const isEdited = Edit !== null && mayChange && !field.readonly && !presetFields.includes(field.name);
  const inputId = `f-${info.name.replaceAll('.', '-')}-${field.name}`;
  const label = item.label ?? field.label;
  const fault = fieldState.error?.message ?? '';
  const showProps = { value: input.value, field, record: { id, ...live }, model: info.name };
  const isOwn = namedByThemselves.has(field.kind);
  const isCheck = field.kind === 'boolean' && isEdited;
  const described = [fault ? `${inputId}-fault` : '', field.help && isEdited ? `${inputId}-help` : ''].filter(Boolean);
  const name = (
    <>
      {label}
      {field.required && isEdited && (
        <span className="text-danger" aria-hidden="true">
          {' '}
          *
        </span>
      )}
    </>
  );
  return (
    <div className={rowClass(item, field)} data-field={field.name}>
      <div className={isOwn && label === heading ? 'visually-hidden' : 'form-row-label'}>
        {isEdited && !isOwn ? (
          // architecture-exempt(raw-element): the label of a form row has a button next to it, or is no label
          <label className="form-label" htmlFor={inputId}>
            {name}
          </label>
        ) : (
          <span className="form-label" id={`${inputId}-label`}>
            {name}
          </span>
        )}
        {field.translate && id !== 'new' && isEdited && <Translations field={field} />}
      </div>
      <div className={isCheck ? 'form-check' : 'form-row-input'}>
        {isEdited ? (
          <Edit
            {...showProps}
            id={inputId}
            label={isOwn ? label : undefined}
            invalid={fault !== ''}
            faults={fieldState.error?.types}
            describedBy={described.length > 0 ? described.join(' ') : undefined}
            onChange={input.onChange}
            onBlur={input.onBlur}
          />
        ) : (
          <div className="form-value" data-slot="value">
            {isEmpty(input.value, field) ? (
              <Nothing />
            ) : isOwnPath(input.value, field) ? (
              <OwnPath path={input.value} />
            ) : (
              <Show {...showProps} />
            )}
          </div>
        )}
        {fault && (
          <p className="form-fault" id={`${inputId}-fault`} role="alert">
            {fault}
          </p>
        )}
        {field.help && isEdited && (
          <p className="form-text" id={`${inputId}-help`}>
            {field.help}
          </p>
        )}
      </div>
      {/* Receives focus if the field is invalid on submit. */}
      {isEdited && <FocusMark inputRef={input.ref} target={inputId} />}
    </div>
  );
}

function Nothing() {
  return (
    <span className="text-body-secondary">
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{t('Empty')}</span>
    </span>
  );
}

/** Whether a value is the path of the record's page on the site: computed, never typed. */
function isOwnPath(value: unknown, { kind, readonly }: FieldInfo): value is string {
  return kind === 'char' && readonly && typeof value === 'string' && /^\/(?!\/)\S*$/.test(value);
}

function OwnPath({ path }: { path: string }) {
  return <a href={path}>{path}</a>;
}

function rowClass({ wide }: FormItemInfo, { kind }: FieldInfo): string {
  return `form-row${wide || kind === 'one2many' ? ' form-row-wide' : ''}`;
}

/** Lets the form focus any widget by its id. */
function FocusMark({ inputRef, target }: { inputRef(instance: unknown): void; target: string }) {
  return (
    <span
      hidden
      ref={(element) => {
        inputRef(element && { focus: () => document.getElementById(target)?.focus() });
      }}
    />
  );
}

function Translations({ field }: { field: FieldInfo }) {
  const { languages } = useStart();
  const [isOpen, setOpen] = useState(false);
  if (languages.length < 2) return null;
  const title = t('Translations of {field}', { field: field.label });
  return (
    <>
      <button
        type="button"
        className="btn btn-sm btn-icon"
        title={title}
        aria-label={title}
        onClick={() => setOpen(true)}
      >
        <Icon name="translate" />
      </button>
      {isOpen && <TranslationsDialog field={field} title={title} onClose={() => setOpen(false)} />}
    </>
  );
}
