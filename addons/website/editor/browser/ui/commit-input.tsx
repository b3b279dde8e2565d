import { TextField } from '@pergola/web/kit';
import { type ComponentProps, useEffect, useState } from 'react';

/** Text field that reports its value on blur or Enter, for expensive changes. */
export function CommitInput({
  value,
  onChange,
  ...field
}: ComponentProps<typeof TextField> & { readonly value: string; onChange(value: string): void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = (): void => {
    if (text !== value) onChange(text);
  };
  return (
    <TextField
      {...field}
      value={text}
      onChange={setText}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        commit();
      }}
    />
  );
}
