import { useMutation, useQuery } from '@tanstack/react-query';
import { t } from 'pergola/browser';
import { Dialog } from '../../kit/dialog.tsx';
import { callRoute, type ResultOf } from '../lib/call-route.ts';
import { unlinkRecords } from '../lib/calls.ts';
import { newChangeKey } from '../lib/change-key.ts';
import { formatNumber } from '../lib/format.ts';
import { useDoneMessage } from '../lib/undo.tsx';
import type { ModelInfo } from '../types.ts';

type Dependants = ResultOf<'/web/backend/dependants'>[number];

/** Confirms the deletion of records and lists the records that depend on them. */
export function DeleteDialog({
  info: { name: model, undoes },
  ids,
  name,
  onClose,
  onDeleted,
}: {
  info: Pick<ModelInfo, 'name' | 'undoes'>;
  ids: readonly number[];
  /** Name of the record, or the number of records. */
  name: string;
  onClose(): void;
  onDeleted(): void;
}) {
  const dependants = useQuery({
    queryKey: ['dependants', model, ids],
    queryFn: () => callRoute('/web/backend/dependants', { model, ids }),
    gcTime: 0,
  });
  const showDone = useDoneMessage();
  const remove = useMutation({
    mutationFn: async () => {
      const changeKey = newChangeKey();
      await unlinkRecords(model, ids, { change_key: changeKey });
      return changeKey;
    },
    onSuccess: (changeKey) => {
      showDone(t('Deleted.'), changeKey, { undoes });
      onDeleted();
    },
    onError: onClose,
  });
  const isForbidden = dependants.data?.some(({ effect }) => effect === 'forbids') ?? false;
  return (
    <Dialog
      title={t('Delete {name}?', { name })}
      onClose={onClose}
      slot="delete"
      foot={
        <>
          <button type="button" className="btn btn-outline-secondary" onClick={onClose}>
            {isForbidden ? t('Close') : t('Cancel')}
          </button>
          {!isForbidden && (
            <button
              type="button"
              className="btn btn-danger"
              disabled={!dependants.data || remove.isPending}
              onClick={() => remove.mutate()}
            >
              {t('Delete')}
            </button>
          )}
        </>
      }
    >
      {!dependants.data ? (
        <p role="status">{t('Checking what depends on this…')}</p>
      ) : (
        <>
          {isForbidden && (
            <p role="alert">{t('This can’t be deleted while other records use it. Change or delete those first.')}</p>
          )}
          {dependants.data.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: makes a long list scrollable by keyboard
            <ul className="form-dependants" tabIndex={0} aria-label={t('Records that depend on it')}>
              {dependants.data.map(({ model: dependantModel, field, label, count, names, effect }) => (
                <li key={`${dependantModel} ${field}`}>
                  <strong>{t('{field}: {text}', { field: label, text: formatNumber(count) })}</strong>{' '}
                  <span className={effect === 'loses' ? 'text-body-secondary' : 'text-danger-emphasis'}>
                    {effectText(effect)}
                  </span>
                  <br />
                  <small>
                    {names.join(', ')}
                    {count > names.length ? ' …' : ''} ({field})
                  </small>
                </li>
              ))}
            </ul>
          )}
          {!isForbidden && undoes && (
            <p className="mb-0">{t('Administrators can restore it from “Changes” in the settings.')}</p>
          )}
        </>
      )}
    </Dialog>
  );
}

function effectText(effect: Dependants['effect']): string {
  if (effect === 'forbids') return t('– prevents the deletion');
  return effect === 'goes' ? t('– will be deleted too') : t('– will lose the link');
}
