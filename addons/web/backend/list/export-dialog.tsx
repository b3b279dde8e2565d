import { useMutation } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { useState } from 'react';
import { CancelButton } from '../../kit/cancel-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { download, type FileFormat, fileFormats } from '../lib/download.ts';
import { formatNumber } from '../lib/format.ts';
import { Icon } from '../lib/icon.tsx';
import { useTrouble } from '../lib/trouble.tsx';
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
  const report = useTrouble();
  const available = Object.values(info.fields)
    .filter(({ name, kind }) => !fields.includes(name) && kind !== 'binary' && kind !== 'image')
    .toSorted((a, b) => a.label.localeCompare(b.label));
  const request = { model: info.name, fields, format, domain, order, forImport: isForImport };
  const save = useMutation({
    mutationFn: () => download('/web/backend/export', request),
    onSuccess: onClose,
    onError: report,
  });
  return (
    <Dialog
      title={t('Export ({n})', { n: formatNumber(count) })}
      onClose={onClose}
      slot="export"
      foot={
        <>
          <CancelButton onClick={onClose} />
          <button
            type="button"
            className="btn btn-primary"
            disabled={fields.length === 0 || save.isPending}
            onClick={() => save.mutate()}
          >
            <Icon name="download" /> {t('Export')}
          </button>
        </>
      }
    >
      <fieldset className="mb-3">
        <legend className="form-label fs-6">{t('File')}</legend>
        {fileFormats.map((option) => (
          <div className="form-check form-check-inline" key={option}>
            <input
              id={`export-${option}`}
              type="radio"
              name="export-format"
              className="form-check-input"
              checked={format === option}
              onChange={() => setFormat(option)}
            />
            <label className="form-check-label" htmlFor={`export-${option}`}>
              {option === 'xlsx' ? t('Excel (.xlsx)') : t('CSV (.csv)')}
            </label>
          </div>
        ))}
      </fieldset>
      <div className="form-check mb-3">
        <input
          id="export-again"
          type="checkbox"
          className="form-check-input"
          checked={isForImport}
          aria-describedby="export-again-help"
          onChange={(event) => setForImport(event.target.checked)}
        />
        <label className="form-check-label" htmlFor="export-again">
          {t('For editing and re-importing')}
        </label>
        <p className="form-text" id="export-again-help">
          {t('Includes record IDs, with values in the format the import expects.')}
        </p>
      </div>
      <p className="form-label">{t('Columns')}</p>
      <ul className="backend-columns">
        {fields.map((name) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                className="form-check-input"
                checked
                onChange={() => setFields(fields.filter((fieldName) => fieldName !== name))}
              />{' '}
              {columnLabel(info, name)}
            </label>
          </li>
        ))}
      </ul>
      <label className="form-label mt-2" htmlFor="export-add">
        {t('Add a column')}
      </label>
      <select
        id="export-add"
        className="form-select form-select-sm"
        value=""
        onChange={(event) => event.target.value && setFields([...fields, event.target.value])}
      >
        <option value="">{t('Choose…')}</option>
        {available.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </Dialog>
  );
}
