import { t } from 'pergola/browser';
import { choiceClass } from '../fields/selection.tsx';
import type { FieldInfo } from '../types.ts';

/** Progress of a record: all statuses in order, with the current one marked. */
export function StatusBar({ field, value }: { field: FieldInfo; value: unknown }) {
  if (field.kind !== 'selection') return null;
  return (
    <ol className="form-steps" aria-label={field.label} data-slot="status-bar">
      {field.selection.map(([key, label]) => (
        <li
          key={key}
          className={key === value ? choiceClass('active', field, key) : ''}
          aria-current={key === value ? 'step' : undefined}
        >
          {label}
          {key === value && <span className="visually-hidden"> ({t('current')})</span>}
        </li>
      ))}
    </ol>
  );
}
