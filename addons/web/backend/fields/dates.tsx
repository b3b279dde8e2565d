import { fromLocalInput, localInput } from '../lib/moments.ts';
import { useStart } from '../lib/start.tsx';
import type { EditProps } from './registry.tsx';
import { inputProps } from './text.tsx';

/** A day without a zone. */
export function DateEdit(props: EditProps) {
  const { value, field, onChange } = props;
  return (
    <input
      {...inputProps(props)}
      type="date"
      value={typeof value === 'string' ? value.slice(0, 10) : ''}
      required={field.required}
      onChange={(event) => onChange(event.target.value || false)}
    />
  );
}

/** A moment on the user's clock. */
export function DateTimeEdit(props: EditProps) {
  const { user } = useStart();
  const { value, field, onChange } = props;
  return (
    <input
      {...inputProps(props)}
      type="datetime-local"
      value={localInput(value, user.timezone)}
      required={field.required}
      onChange={(event) => onChange(fromLocalInput(event.target.value, user.timezone))}
    />
  );
}
