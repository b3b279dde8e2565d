import { t } from 'pergola/browser';
import { useState } from 'react';
import type { ControlProps } from '../../kit/field.tsx';
import { NumberBox } from '../fields/number-box.tsx';
import type { SettingSchema, ShownSetting } from './calls.ts';

interface InputProps {
  readonly setting: ShownSetting;
  readonly control: ControlProps;
  readonly value: unknown;
  onChange(value: unknown): void;
}

/** Returns the schema without null, and whether null is allowed. */
function plainSchema(schema: SettingSchema): { readonly schema: SettingSchema; readonly mayBeEmpty: boolean } {
  const nonNull = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = nonNull;
  if (only && nonNull.length === 1 && nonNull.length < (schema.anyOf?.length ?? 0))
    return { schema: only, mayBeEmpty: true };
  return { schema, mayBeEmpty: false };
}

/** Input for a setting, derived from its schema. */
export function SettingInput(props: InputProps) {
  const { setting, control, value, onChange } = props;
  const { schema, mayBeEmpty } = plainSchema(setting.schema);
  if (schema.type === 'boolean')
    return (
      <span className="settings-check">
        <input
          {...control}
          type="checkbox"
          className="form-check-input"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      </span>
    );
  if (schema.enum)
    return (
      <select
        {...control}
        className="form-select"
        value={String(value ?? '')}
        onChange={(event) => onChange(event.target.value)}
      >
        {schema.enum.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {setting.choices[String(choice)] ?? String(choice)}
          </option>
        ))}
      </select>
    );
  if (schema.type === 'integer' || schema.type === 'number')
    return (
      <NumberBox
        {...control}
        value={value}
        input={{ places: schema.type === 'integer' ? 0 : undefined }}
        isFaulty={control['aria-invalid'] === true}
        onChange={(number) => onChange(number === false ? null : number)}
      />
    );
  if (schema.type === undefined || schema.type === 'object' || schema.type === 'array')
    return <JsonInput {...props} schema={schema} />;
  const text = typeof value === 'string' ? value : '';
  const change = (next: string): void => onChange(next === '' && mayBeEmpty ? null : next);
  if (setting.secret)
    return (
      <input
        {...control}
        type="password"
        autoComplete="new-password"
        value={text}
        onChange={(event) => change(event.target.value)}
      />
    );
  if ((schema.maxLength ?? 0) > 500)
    return (
      <textarea
        {...control}
        rows={4}
        value={text}
        maxLength={schema.maxLength}
        onChange={(event) => change(event.target.value)}
      />
    );
  return (
    <input
      {...control}
      type={schema.format === 'email' ? 'email' : schema.format === 'uri' ? 'url' : 'text'}
      value={text}
      maxLength={schema.maxLength}
      onChange={(event) => change(event.target.value)}
    />
  );
}

/** Edits lists of texts as lines, and everything else as JSON. */
function JsonInput({ control, value, onChange, schema }: InputProps & { schema: SettingSchema }) {
  const isLines = schema.type === 'array' && schema.items?.type === 'string';
  const initialText = isLines
    ? Array.isArray(value)
      ? value.join('\n')
      : ''
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value, null, 2);
  const [draft, setDraft] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  return (
    <>
      <textarea
        {...control}
        className={`${control.className}${isLines ? '' : ' font-monospace'}`}
        rows={4}
        aria-invalid={control['aria-invalid'] ?? (isBroken || undefined)}
        value={draft ?? initialText}
        onChange={(event) => {
          const { value: text } = event.target;
          setDraft(text);
          if (isLines) onChange(text.split('\n').filter((line) => line.trim() !== ''));
          else {
            const read = parse(text);
            setBroken(read === undefined);
            if (read !== undefined) onChange(read);
          }
        }}
        onBlur={() => {
          if (!isBroken) setDraft(null);
        }}
      />
      {isLines && <p className="form-text">{t('One per line.')}</p>}
      {isBroken && (
        <p className="form-fault" role="alert">
          {t('This JSON is incomplete and won’t be saved yet.')}
        </p>
      )}
    </>
  );
}

function parse(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
