import { useEffect, useRef } from 'react';
import type { BlockActions } from './block-actions.ts';
import type { EditSession } from './session.ts';

export interface EditorKeys {
  readonly session: EditSession;
  readonly actions: BlockActions;
  /** Whether no dialog is open. */
  readonly isFree: boolean;
  say(text: string): void;
  onSave(): void;
  onLink(): void;
  onOptions(): void;
  onBlocks(): void;
  onNext(): void;
  onSame(): void;
}

/** Keyboard shortcuts that work anywhere on the page while editing. */
export function useEditorKeys(keys: EditorKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { current } = latest;
      if (!current.isFree || event.isComposing) return;
      const action = actionFor(event, current);
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, []);
}

function actionFor(event: KeyboardEvent, keys: EditorKeys): (() => void) | null {
  const { session } = keys;
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (isCommand && !event.altKey) {
    if (key === 's' && !event.shiftKey) return keys.onSave;
    if (isInput(event.target)) return null;
    if (key === 'z' && !event.shiftKey) return () => session.undo();
    if (key === 'y' || (key === 'z' && event.shiftKey)) return () => session.redo();
    if (key === 'k' && session.view.region) return keys.onLink;
    return null;
  }
  if (event.altKey && key === 'F10') return () => focusTools(session.view.region !== null);
  if (event.altKey && event.shiftKey) return blockAction(event.code, keys) ?? null;
  if (key === 'Escape' && session.view.region && session.view.block) {
    return () => {
      session.endTyping();
      document.querySelector<HTMLElement>('.ed-block-bar button:not(:disabled)')?.focus();
    };
  }
  return null;
}

function blockAction(
  code: string,
  { actions, say, onOptions, onBlocks, onNext, onSame }: EditorKeys,
): (() => void) | undefined {
  const byCode: Readonly<Record<string, () => void>> = {
    ArrowUp: () => say(actions.move('up')),
    ArrowDown: () => say(actions.move('down')),
    KeyD: () => say(actions.duplicate()),
    Delete: () => say(actions.remove()),
    KeyO: onOptions,
    KeyB: onBlocks,
    KeyN: onNext,
    KeyS: onSame,
  };
  return byCode[code];
}

function focusTools(isTyping: boolean): void {
  const tools = document.querySelectorAll<HTMLElement>('#ed-bar select:not(:disabled), #ed-bar button:not(:disabled)');
  const first = isTyping
    ? [...tools].find((tool) => tool.localName === 'select' || tool.getAttribute('aria-keyshortcuts') === 'Control+B')
    : tools[0];
  (first ?? tools[0])?.focus();
}

/** Inputs of the editor's dialogs have their own undo. */
function isInput(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
}
