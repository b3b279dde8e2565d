import { Check, SelectField, useWindowEvent } from '@pergola/web/kit';
import { formatNumber, parseNumber, t } from 'pergola/browser';
import { zoneName } from 'pergola/zones';
import { useRef, useState } from 'react';
import { backendAddress } from '../../../islands/parts/error-dialog.tsx';
import { calls, type Drawer, type OptionSchema } from '../calls.ts';
import { optionsOf, sharedBlockAddress } from '../fields/block-contents.ts';
import type { RichField } from '../fields/rich-field.ts';
import type { EditSession } from '../session.ts';
import { troubleOf } from '../trouble.ts';
import { siteZone } from '../zone.ts';
import { CommitInput } from './commit-input.tsx';
import { PositionInput } from './position-input.tsx';

type Options = Readonly<Record<string, unknown>>;

/** Opens the dialog of a form (0: the first form, null: a new one); `onDone` receives the id of the saved form. */
export type EditForm = (id: number | null, onDone: (id: number) => void) => void;

/** Options form of a server-rendered block, generated from the block's schema. */
export function DataBlockOptions({
  session,
  field,
  element,
  chosen: selected = element,
  drawer,
  onForm,
}: {
  session: EditSession;
  field: RichField;
  element: HTMLElement;
  /** Selected element: the block itself or an ancestor. */
  chosen?: HTMLElement;
  drawer: Drawer | null;
  onForm: EditForm;
}) {
  const block = drawer?.blocks.find(({ id }) => id === element.dataset.block);
  const [options, setOptions] = useState<Options>(optionsOf(element));
  const latest = useRef(options);
  const [error, setError] = useState<string | null>(null);
  const properties = Object.entries(block?.schema?.properties ?? {});
  /** Records shown by blocks of this type can change in a dialog or in another tab. */
  const reloadBlocks = (): void => session.contents.reloadBlocks(field.root, element.dataset.block ?? '');
  useWindowEvent('focus', reloadBlocks);
  if (!block || properties.length === 0) return null;
  const apply = async (next: Options): Promise<void> => {
    latest.current = next;
    setOptions(next);
    try {
      // The server validates the options before anything changes.
      await calls.block(block.id, next);
      // The response to an earlier choice arrived late.
      if (latest.current !== next) return;
      setError(null);
      field.restructure(() => {
        element.dataset.options = JSON.stringify(next);
        element.replaceChildren();
        session.contents.fill(element.parentElement ?? element);
      });
      session.selectBlock(field, selected);
    } catch (failure) {
      if (latest.current === next) setError(troubleOf(failure).message);
    }
  };
  return (
    <fieldset className="ed-options">
      <legend>{block.label}</legend>
      {block.id === 'website.form' ? (
        <p className="ed-buttons">
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            onClick={() => onForm(Number(options.form ?? 0), reloadBlocks)}
          >
            {t('Questions')}
          </button>
          <button
            type="button"
            className="btn btn-sm btn-outline-secondary"
            onClick={() => onForm(null, (form) => void apply({ ...options, form }))}
          >
            {t('New form')}
          </button>
        </p>
      ) : null}
      {block.id === 'website.saved' && options.block ? (
        <p>
          <a href={sharedBlockAddress(Number(options.block))} target="_blank" rel="noopener">
            {t('Edit everywhere')}
          </a>
        </p>
      ) : null}
      {properties.map(([name, schema]) =>
        name === 'latitude' ? (
          <PositionInput
            key={name}
            label={schema.title ?? humanName(name)}
            help={schema.help}
            latitude={options.latitude}
            longitude={options.longitude}
            onChange={(position) => void apply({ ...options, ...position })}
          />
        ) : name === 'longitude' ? null : (
          <Option
            key={name}
            name={name}
            schema={limitChoices(schema, options)}
            value={options[name] ?? schema.default}
            onChange={(value) => void apply(withoutStrays(properties, { ...options, [name]: value }))}
          />
        ),
      )}
      {error && (
        <p className="ed-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Limits the choices to records that belong to the one selected in another option. */
function limitChoices(schema: OptionSchema, options: Options): OptionSchema {
  const owner = schema.of && options[schema.of];
  return owner ? { ...schema, choices: schema.choices?.filter(({ of: parent }) => parent === owner) } : schema;
}

/** Removes records that don't belong to the selected parent. */
function withoutStrays(properties: readonly (readonly [string, OptionSchema])[], options: Options): Options {
  const strays = properties.filter(
    ([name, schema]) =>
      schema.of &&
      options[name] &&
      !limitChoices(schema, options).choices?.some(({ value }) => value === options[name]),
  );
  const strayNames = new Set(strays.map(([name]) => name));
  return Object.fromEntries(Object.entries(options).filter(([name]) => !strayNames.has(name)));
}

interface OptionProps {
  label: string;
  schema: OptionSchema;
  value: unknown;
  onChange(value: unknown): void;
}

/** Number input, formatted in the page's language and limited to its bounds. */
function NumberOption({ label, schema, value, onChange }: OptionProps) {
  const { minimum = -Infinity, maximum = Infinity, help, type } = schema;
  const [fault, setFault] = useState<string | null>(null);
  const places = type === 'integer' ? 0 : undefined;
  return (
    <CommitInput
      label={label}
      help={help}
      error={fault}
      inputMode={places === 0 ? 'numeric' : 'decimal'}
      value={typeof value === 'number' ? formatNumber(value, { maximumFractionDigits: 20 }) : ''}
      onChange={(text) => {
        const number = text === '' ? null : parseNumber(text, { places });
        setFault(number?.fault ?? null);
        if (number && number.fault === null) onChange(Math.min(maximum, Math.max(minimum, Number(number.value))));
      }}
    />
  );
}

function Option({ name, schema, value, onChange }: Omit<OptionProps, 'label'> & { name: string }) {
  const label = schema.title ?? humanName(name);
  const { help } = schema;
  if (schema.choices) return <RecordOption label={label} schema={schema} value={value} onChange={onChange} />;
  const choices = choicesOf(schema);
  if (choices) {
    return (
      <SelectField
        label={label}
        help={help}
        value={String(value ?? '')}
        choices={choices.map((choice) => ({ value: String(choice), label: nameOf(String(choice), schema) }))}
        onChange={(text) => onChange(choices.find((choice) => String(choice) === text))}
      />
    );
  }
  if (schema.type === 'boolean')
    return <Check label={label} help={help} checked={value === true} onChange={onChange} />;
  if (schema.type === 'number' || schema.type === 'integer') {
    return <NumberOption label={label} schema={schema} value={value} onChange={onChange} />;
  }
  if (schema.format === 'date-time')
    return (
      <CommitInput
        label={label}
        help={help ? `${help} (${zoneName(siteZone(), t)})` : zoneName(siteZone(), t)}
        type="datetime-local"
        value={String(value ?? '')}
        onChange={(text) => onChange(text || undefined)}
      />
    );
  if (schema.type === 'string')
    return (
      <CommitInput
        label={label}
        help={help}
        maxLength={schema.maxLength}
        value={String(value ?? '')}
        onChange={onChange}
      />
    );
  // Lists of numbers are usually record ids.
  if (schema.type === 'array') {
    const listText = Array.isArray(value) ? value.join(', ') : '';
    const isNumbers = schema.items?.type === 'number' || schema.items?.type === 'integer';
    const parse = (text: string): unknown[] =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map((part) => (isNumbers ? Number(part) : part));
    return (
      <CommitInput
        label={label}
        help={help ?? t('Separate several with commas.')}
        value={listText}
        onChange={(text) => onChange(parse(text))}
      />
    );
  }
  return null;
}

/** Selects one or more records by name. */
function RecordOption({ label, schema, value, onChange }: OptionProps) {
  const { choices = [], help, none: emptyLabel, type } = schema;
  if (type === 'array') {
    const selectedIds: readonly unknown[] = Array.isArray(value) ? value : [];
    const change = (id: number, on: boolean): void =>
      onChange(on ? [...selectedIds, id] : selectedIds.filter((selectedId) => selectedId !== id));
    return (
      <fieldset className="ed-options">
        <legend>{label}</legend>
        {choices.map((choice) => (
          <Check
            key={choice.value}
            label={choice.label}
            checked={selectedIds.includes(choice.value)}
            onChange={(on) => change(choice.value, on)}
          />
        ))}
        {emptyLabel ? <p className="form-text">{emptyLabel}</p> : null}
      </fieldset>
    );
  }
  const empty = String(schema.minimum === 0 ? 0 : '');
  const recordChoices = choices.map((choice) => ({ value: String(choice.value), label: choice.label }));
  const open = schema.records && value ? backendAddress(schema.records, Number(value)) : null;
  return (
    <SelectField
      label={label}
      help={
        open ? (
          <a href={open} target="_blank" rel="noopener">
            {t('Open in the backend')}
          </a>
        ) : (
          help
        )
      }
      value={String(value ?? empty)}
      choices={emptyLabel ? [{ value: empty, label: emptyLabel }, ...recordChoices] : recordChoices}
      onChange={(text) => onChange(text === '' ? undefined : Number(text))}
    />
  );
}

function choicesOf({ enum: values, anyOf }: OptionSchema): readonly (string | number)[] | null {
  if (values) return values;
  const constants = anyOf
    ?.map((choice) => choice.const)
    .filter((value) => typeof value === 'string' || typeof value === 'number');
  return constants && constants.length === anyOf?.length ? constants : null;
}

function nameOf(choice: string, { labels = [] }: OptionSchema): string {
  return labels.find(({ value }) => value === choice)?.label ?? humanName(choice);
}

/** `team_id` → "Team". */
function humanName(name: string): string {
  const words = name
    .replace(/_ids?$/, '')
    .replaceAll(/[_-]/g, ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
