import { CancelButton } from '#addons/web/kit';
import { t } from '#core/browser';

/** The foot of a window whose form is saved. `disabled`: there is nothing to save yet. */
export function SaveButtons({ onCancel, disabled = false }: { onCancel(): void; disabled?: boolean }) {
  return (
    <>
      <CancelButton onClick={onCancel} />
      <button type="submit" className="btn btn-primary" disabled={disabled}>
        {t('Save')}
      </button>
    </>
  );
}
