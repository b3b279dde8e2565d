import { type ButtonHTMLAttributes, useRef } from 'react';
import { Icon } from './icon.tsx';

interface FileButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'className' | 'onClick'> {
  onChosen(files: readonly File[]): void;
}

/** Button that opens the file dialog; the same file can be selected again. Other props go to the button. */
export function FileButton({ onChosen, children, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onChosen([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <button
        type="button"
        className="btn btn-sm btn-outline-secondary"
        {...button}
        onClick={() => input.current?.click()}
      >
        <Icon name="paperclip" /> {children}
      </button>
    </>
  );
}
