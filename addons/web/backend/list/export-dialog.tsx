import { useMutation } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { Check, SelectField } from '../../kit/field.tsx';
import { callRoute } from '../lib/call-route.ts';
import { download, type FileFormat, fileFormats } from '../lib/download.ts';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import type { Domain, ModelInfo } from '../types.ts';
import { columnLabel } from './columns-menu.tsx';

/** Exports the selected records to a file, with a choice of columns, for reading or for reimport. */
export function ExportDialog({
  info,
  columns,
  count,
  domain,
  order,
  onClose,
}: {
  info: ModelInfo;
  columns: readonly string[];
  count: number;
  domain: Domain;
  order: string;
  onClose(): void;
}) {
  const [fields, setFields] = useState<readonly string[]>(columns);
  const [format, setFormat] = useState<FileFormat>('xlsx');
  const [isForImport, setForImport] = useState(false);
  const available = Object.values(info.fields)
    .filter(({ name, kind }) => !fields.includes(name) && kind !== 'binary' && kind !== 'image')
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const request = { model: info.name, fields, format, domain, order, forImport: isForImport };
  const save = useMutation({
    mutationFn: async () => download(await callRoute('/web/backend/export', request), format),
    onSuccess: onClose,
  });
  return (
    <Dialog
      title={t('Export ({n})', { n: formatNumber(count) })}
      onClose={onClose}
      slot="export"
      onSubmit={() => save.mutate()}
      submit={
        <>
          <Icon name="download" /> {t('Export')}
        </>
      }
      disabled={fields.length === 0}
      busy={save.isPending}
    >
      <fieldset className="mb-3">
        <legend className="form-label fs-6">{t('File')}</legend>
        {fileFormats.map((option) => (
          <Check
            key={option}
            wrap="form-check form-check-inline"
            type="radio"
            name="export-format"
            label={option === 'xlsx' ? t('Excel (.xlsx)') : t('CSV (.csv)')}
            checked={format === option}
            onChange={() => setFormat(option)}
          />
        ))}
      </fieldset>
      <Check
        wrap="form-check mb-3"
        label={t('For editing and re-importing')}
        help={t('Includes record IDs, with values in the format the import expects.')}
        checked={isForImport}
        onChange={setForImport}
      />
      <p className="form-label">{t('Columns')}</p>
      <ul className="backend-columns">
        {fields.map((name) => (
          <li key={name}>
            <Check
              wrap=""
              label={columnLabel(info, name)}
              checked
              onChange={() => setFields(fields.filter((fieldName) => fieldName !== name))}
            />
          </li>
        ))}
      </ul>
      <SelectField
        wrap="mt-2"
        className="form-select form-select-sm"
        label={t('Add a column')}
        value=""
        onChange={(name) => name && setFields([...fields, name])}
        choices={[{ value: '', label: t('Choose…') }, ...available.map(({ name, label }) => ({ value: name, label }))]}
      />
    </Dialog>
  );
}
