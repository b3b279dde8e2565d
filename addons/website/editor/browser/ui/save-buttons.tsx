import { CancelButton } from '@pergola/web/kit';
import { t } from 'pergola/browser';

export interface SaveButtonsProps {
  /** Disables saving while there are no changes. */
  readonly disabled?: boolean;
  readonly label?: string;
  onCancel(): void;
}

/** Footer of a dialog with a form. */
export function SaveButtons({ onCancel, disabled = false, label = t('Save') }: SaveButtonsProps) {
  return (
    <>
      <CancelButton onClick={onCancel} />
      <button type="submit" className="btn btn-primary" disabled={disabled}>
        {label}
      </button>
    </>
  );
}
