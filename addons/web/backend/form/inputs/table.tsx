import { t } from 'pergola/browser';
import { Link } from 'react-router';
import type { ShowProps } from '../../fields/registry.tsx';
import { recordAddress } from '../../lib/addresses.ts';

/** A table computed by a model for its form; texts are in the user's language. */
interface Table {
  readonly columns: readonly { readonly label: string; readonly isNumber?: boolean }[];
  /** The first cell of a row links to its record, if it has one. */
  readonly rows: readonly { readonly model?: string; readonly id?: number; readonly cells: readonly string[] }[];
}

/** Read-only table computed by the server. */
export function TableShow({ value, field }: ShowProps) {
  const { columns, rows } = (value || { columns: [], rows: [] }) as Table;
  if (rows.length === 0) return <p className="text-body-secondary mb-0">{t('None yet')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: makes a wide table scrollable by keyboard
    <section className="form-lines" tabIndex={0} aria-label={field.label}>
      <table className="table table-sm mb-0">
        <thead>
          <tr>
            {columns.map(({ label, isNumber }) => (
              <th key={label} scope="col" className={isNumber ? 'text-end' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ model, id, cells }) => (
            <tr key={`${model} ${id} ${cells.join()}`}>
              {cells.map((cell, column) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
                  key={column}
                  data-label={columns[column]?.label}
                  className={columns[column]?.isNumber ? 'text-end text-nowrap' : undefined}
                >
                  {column === 0 && model && id ? <Link to={recordAddress(model, id)}>{cell}</Link> : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
