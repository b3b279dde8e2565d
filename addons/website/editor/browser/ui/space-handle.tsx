import { t } from 'pergola/browser';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { SnippetOption } from '../../../snippets/point.ts';
import { chosenValue, setValue } from '../options.ts';
import type { EditSession, SessionView } from '../session.ts';

export interface SpaceHandleProps {
  readonly session: EditSession;
  readonly block: NonNullable<SessionView['block']>;
  /** Spacing scale of this edge: the default, then from none to the maximum. */
  readonly space: SnippetOption;
  readonly edge: 'above' | 'below';
  readonly style: CSSProperties;
}

/** Drag distance in pixels per step of the scale. */
const stepHeight = 24;

/** Handle on a block's upper or lower edge that changes its padding, by dragging or with arrow keys. */
export function SpaceHandle({ session, block: { field, element }, space, edge, style }: SpaceHandleProps) {
  const dragStart = useRef<{ readonly before: unknown; readonly y: number; readonly step: number } | null>(null);
  const { choices } = space;
  const currentStep = Math.max(
    choices.findIndex(({ value }) => value === chosenValue(element, space)),
    0,
  );
  /** The default spacing counts as the middle of the scale. */
  const from = currentStep === 0 ? Math.ceil(choices.length / 2) : currentStep;
  const show = (step: number): void =>
    setValue(element, space, choices[Math.min(Math.max(step, 1), choices.length - 1)]?.value ?? '');
  const begin = (y: number): void => {
    field.deactivate();
    dragStart.current = { before: field.value(), y, step: from };
  };
  const end = (): void => {
    if (!dragStart.current) return;
    field.restructured(dragStart.current.before);
    dragStart.current = null;
    session.selectBlock(field, element);
  };
  const press = (event: PointerEvent<HTMLElement>): void => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    begin(event.clientY);
  };
  const drag = (event: PointerEvent<HTMLElement>): void => {
    if (dragStart.current)
      show(dragStart.current.step + Math.round((event.clientY - dragStart.current.y) / stepHeight));
  };
  const key = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    begin(0);
    show(from + step);
    end();
  };
  return (
    <div
      className="ed-space-edge"
      style={style}
      role="slider"
      tabIndex={0}
      aria-label={edge === 'above' ? t('Spacing above') : t('Spacing below')}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={choices.length - 1}
      aria-valuenow={currentStep}
      aria-valuetext={choices[currentStep]?.label}
      onPointerDown={press}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={key}
    />
  );
}
