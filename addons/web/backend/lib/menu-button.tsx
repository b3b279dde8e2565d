import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

/**
 * Button with a dropdown menu: arrow keys move through it, Escape and clicks elsewhere close it.
 * `keep`: stays open when an entry is selected (for checkboxes).
 */
export function MenuButton({
  label,
  children,
  className = 'btn btn-sm btn-outline-secondary',
  title,
  end = false,
  keep = false,
  slot,
}: {
  label: ReactNode;
  children: ReactNode | ((close: () => void) => ReactNode);
  className?: string;
  /** Accessible name of a button without text. */
  title?: string;
  end?: boolean;
  keep?: boolean;
  slot?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const holder = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event): void => {
      if (event.target instanceof Node && !holder.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    holder.current?.querySelector<HTMLElement>(`.menu-panel :is(${focusable})`)?.focus();
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [isOpen]);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys that bubble from its children
    <div
      className="menu-button"
      ref={holder}
      data-slot={slot}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isOpen) {
          event.stopPropagation();
          close();
        } else if (isOpen) walk(event, holder.current);
      }}
    >
      <button
        type="button"
        ref={button}
        className={className}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={title}
        title={title}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons inside handle keys
        // biome-ignore lint/a11y/noStaticElementInteractions: handles clicks that bubble from the buttons inside
        <div
          id={id}
          className={`menu-panel${end ? ' menu-panel-end' : ''}`}
          onClick={(event) => {
            if (!keep && event.target instanceof Element && event.target.closest('button, a')) close();
          }}
        >
          {typeof children === 'function' ? children(close) : children}
        </div>
      )}
    </div>
  );
}

const focusable = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled)';

function walk(event: KeyboardEvent, holder: HTMLElement | null): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const { target } = event;
  const isTyping =
    target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'number');
  if (step === 0 || isTyping) return;
  const items = [...(holder?.querySelectorAll<HTMLElement>(`.menu-panel :is(${focusable})`) ?? [])];
  const index = items.indexOf(document.activeElement as HTMLElement);
  const next = items[(index + step + items.length) % items.length];
  next?.focus();
  event.preventDefault();
}
