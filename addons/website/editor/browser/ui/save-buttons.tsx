import { t } from 'pergola/browser';
import { CancelButton } from '#addons/web/kit';

export interface SaveButtonsProps {
  /** There is nothing to save yet. */
  readonly disabled?: boolean;
  readonly label?: string;
  onCancel(): void;
}

/** The foot of a window whose form is saved. */
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
