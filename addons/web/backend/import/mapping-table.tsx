import { t } from '#core/browser';
import type { ImportPreview } from '../types.ts';

/** The file's first lines, with what each column is read into above it. */
export function MappingTable({
  preview,
  mapping,
  onChange,
}: {
  preview: ImportPreview;
  mapping: readonly string[];
  onChange(mapping: readonly string[]): void;
}) {
  const { headers, sample, targets } = preview;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keys
    <section className="table-responsive mb-3" tabIndex={0} aria-label={t('Columns of the file')}>
      <table className="table table-sm backend-import-table">
        <thead>
          <tr>
            {headers.map((header, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are where they are
              <th key={index} scope="col">
                {header || t('Column {n}', { n: index + 1 })}
              </th>
            ))}
          </tr>
          <tr>
            {headers.map((header, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are where they are
              <th key={index}>
                <select
                  className={`form-select form-select-sm${mapping[index] ? '' : ' text-body-secondary'}`}
                  aria-label={t('Read “{name}” into', { name: header || t('Column {n}', { n: index + 1 }) })}
                  value={mapping[index] ?? ''}
                  onChange={(event) => onChange(mapping.map((id, at) => (at === index ? event.target.value : id)))}
                >
                  <option value="">{t('Leave out')}</option>
                  {targets.map(({ id, label }) => (
                    <option key={id} value={id} disabled={mapping.includes(id) && mapping[index] !== id}>
                      {label}
                    </option>
                  ))}
                </select>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are where they are
            <tr key={line}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns are where they are
                <td key={index} className={mapping[index] ? '' : 'text-body-secondary'}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
