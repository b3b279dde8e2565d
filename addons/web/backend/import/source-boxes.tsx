import { t } from 'pergola/browser';
import { SelectField } from '../../kit/field.tsx';
import type { ImportSource } from '../types.ts';

/** User's choices of how to read a file. */
export interface SourceChoice {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly sheet?: number | undefined;
  readonly headerRow?: number | undefined;
}

/** Shows how the file was read and lets the user change it. */
export function SourceBoxes({
  source,
  choice,
  onChange,
}: {
  source: ImportSource;
  choice: SourceChoice;
  onChange(choice: SourceChoice): void;
}) {
  const { encoding, delimiter, sheets, sheet, headerRow, top, labels } = source;
  // Another sheet or delimiter has other headings.
  const { headerRow: chosenRow = headerRow } = choice;
  return (
    <fieldset className="mb-3" data-slot="source">
      <legend className="visually-hidden">{t('File format')}</legend>
      <div className="row g-2">
        {encoding !== null && (
          <Box
            label={t('Encoding')}
            value={choice.encoding ?? encoding}
            options={labels.encodings}
            onChange={(value) => onChange({ encoding: value })}
          />
        )}
        {delimiter !== null && (
          <Box
            label={t('Delimiter')}
            value={choice.delimiter ?? delimiter}
            options={labels.delimiters}
            onChange={(value) => onChange({ delimiter: value })}
          />
        )}
        {sheets.length > 0 && (
          <Box
            label={t('Sheet')}
            value={String(choice.sheet ?? sheet)}
            options={sheets.map(({ name, hidden }, index) => [
              String(index),
              hidden ? t('{name} (hidden)', { name }) : name,
            ])}
            onChange={(value) => onChange({ sheet: Number(value), headerRow: undefined })}
          />
        )}
        <Box
          label={t('Headings')}
          value={String(chosenRow)}
          options={top.map(({ line, text }) => [String(line), t('Row {n}: {text}', { n: line, text })])}
          onChange={(value) => onChange({ headerRow: Number(value) })}
        />
      </div>
    </fieldset>
  );
}

function Box({
  options,
  ...select
}: {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange(value: string): void;
}) {
  return (
    <SelectField
      wrap="col-12 col-sm-6 col-lg-3"
      labelClass="form-label mb-1"
      className="form-select form-select-sm"
      choices={options.map(([value, label]) => ({ value, label }))}
      {...select}
    />
  );
}
