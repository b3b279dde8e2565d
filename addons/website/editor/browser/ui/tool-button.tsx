import { Icon } from '@pergola/web/kit';
import type { ComponentProps } from 'react';

export interface ToolButtonProps {
  readonly icon: ComponentProps<typeof Icon>['of'];
  readonly label: string;
  /** Keyboard shortcut, for the tooltip. */
  readonly keys?: string;
  readonly pressed?: boolean;
  readonly disabled?: boolean;
  /** Shows the label next to the icon. */
  readonly wide?: boolean;
  readonly className?: string;
  onPress(): void;
}

/** Key names for `aria-keyshortcuts`. */
const keyNames: Readonly<Record<string, string>> = {
  Ctrl: 'Control',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
};

/** Toolbar button. Pressing it keeps the cursor in the text. */
export function ToolButton({
  icon,
  label,
  keys,
  pressed,
  disabled = false,
  wide = false,
  className = '',
  onPress,
}: ToolButtonProps) {
  return (
    <button
      type="button"
      className={`ed-tool ${className}`}
      title={keys ? `${label} (${keys})` : label}
      aria-label={wide ? undefined : label}
      aria-pressed={pressed}
      aria-keyshortcuts={keys?.replace(/Ctrl|[↑↓←→]/g, (key) => keyNames[key] ?? key)}
      disabled={disabled}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Icon of={icon} />
      {wide ? <span>{label}</span> : null}
    </button>
  );
}

/** Moves between toolbar buttons with the arrow keys, Home and End; tabs are also selected. */
export function moveToolFocus(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
  const target = event.target as HTMLElement;
  if (step === undefined || (target.localName === 'select' && Number.isFinite(step) === false)) return;
  const tools = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled), select:not(:disabled)')];
  const index = tools.indexOf(target);
  if (index < 0) return;
  event.preventDefault();
  const next =
    step === -Infinity ? 0 : step === Infinity ? tools.length - 1 : (index + step + tools.length) % tools.length;
  tools[next]?.focus();
  if (tools[next]?.getAttribute('role') === 'tab') tools[next].click();
}

/** Moves between buttons in rows with the arrow keys. */
export function moveGridFocus(event: React.KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const perRow = buttons.filter(({ offsetTop }) => offsetTop === buttons[0]?.offsetTop).length;
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: perRow, ArrowUp: -perRow }[event.key];
  const next = step && buttons[buttons.indexOf(event.target as HTMLButtonElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
