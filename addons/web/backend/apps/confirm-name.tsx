import { t } from 'pergola/browser';
import { TextField } from '../../kit/field.tsx';

/** Field for the name of the app whose data is to be deleted. */
export function ConfirmName({
  name,
  confirmation,
  fault,
  onChange,
}: {
  name: string;
  confirmation: string;
  fault: string;
  onChange(typed: string): void;
}) {
  return (
    <TextField
      wrap="mb-3 plan-confirm"
      label={
        <>
          {t('To confirm, type')} <strong translate="no">{name}</strong>
        </>
      }
      help={t('The data is archived on the server first.')}
      error={fault}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
      value={confirmation}
      onChange={onChange}
    />
  );
}
