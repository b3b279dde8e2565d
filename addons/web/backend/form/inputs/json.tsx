import { t } from 'pergola/browser';
import { useState } from 'react';
import type { EditProps, ShowProps } from '../../fields/registry.tsx';
import { inputProps } from '../../fields/text.tsx';

/** Stored JSON data. */
export function JsonShow({ value }: ShowProps) {
  if (value === false || value === null || value === undefined) return null;
  return <pre className="form-json">{JSON.stringify(value, null, 2)}</pre>;
}

/** Edits JSON as text; the value changes whenever the text is valid. */
export function JsonEdit(props: EditProps) {
  const { value, onChange } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const [isBroken, setBroken] = useState(false);
  const text =
    draft ?? (value === false || value === null || value === undefined ? '' : JSON.stringify(value, null, 2));
  return (
    <>
      <textarea
        {...inputProps({ ...props, invalid: props.invalid || isBroken })}
        className={`form-control font-monospace${isBroken ? ' is-invalid' : ''}`}
        rows={5}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setDraft(event.target.value);
          const read = parse(event.target.value);
          setBroken(read === undefined);
          if (read !== undefined) onChange(read);
        }}
      />
      {isBroken && (
        <p className="form-fault" role="alert">
          {t('This JSON is incomplete and won’t be saved yet.')}
        </p>
      )}
    </>
  );
}

function parse(text: string): unknown {
  if (text.trim() === '') return false;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
