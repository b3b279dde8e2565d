import { reducedMotion, t } from 'pergola/browser';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { TourStep } from '../../../snippets/tours/point.ts';
import { notePlace } from './note-place.ts';
import { actionOf, writtenIn } from './step.ts';

interface Props {
  readonly step: TourStep;
  /** Starts at 0. */
  readonly index: number;
  readonly count: number;
  readonly target: HTMLElement | null;
  /** The visitor has completed the step. */
  onDone(): void;
  /** The visitor wants the step done automatically, or has read it. */
  onNext(): void;
  onEnd(): void;
}

/** Highlights the target of a tour step and shows a note next to it. */
export function TourNote({ step, index, count, target, onDone, onNext, onEnd }: Props) {
  const note = useRef<HTMLDivElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const next = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const updatePosition = (): void => {
      if (note.current) placeBeside(target, note.current, ring.current, step.placement);
    };
    target?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: reducedMotion() ? 'auto' : 'smooth' });
    const focused = target && actionOf(step) !== 'none' && target.tabIndex >= 0 ? target : next.current;
    focused?.focus({ preventScroll: true });
    updatePosition();
    const timer = setInterval(updatePosition, 50);
    return () => clearInterval(timer);
  }, [step, target]);
  const handleEvent = useEffectEvent((event: Event): void => {
    if (!target || !(event.target instanceof Node) || !target.contains(event.target)) return;
    if (event.type === 'click' || writtenIn(target) !== '') onDone();
  });
  useLayoutEffect(() => {
    const action = actionOf(step);
    const eventName = action === 'click' ? 'click' : 'change';
    const onEvent = (event: Event): void => handleEvent(event);
    // Uses the capture phase, because a click can leave the page.
    if (action !== 'none') document.addEventListener(eventName, onEvent, true);
    return () => document.removeEventListener(eventName, onEvent, true);
  }, [step]);
  useEffect(() => {
    // Interaction with the note must not close menus, which close when the focus moves elsewhere.
    const stop = (event: Event): void => event.stopPropagation();
    for (const sign of ['pointerdown', 'mousedown', 'focusin']) note.current?.addEventListener(sign, stop);
  }, []);
  return createPortal(
    <>
      {target && <div className="tour-ring" aria-hidden="true" ref={ring} />}
      <div
        className="tour-note"
        role="dialog"
        aria-labelledby="tour-title"
        aria-describedby="tour-text"
        ref={note}
        onKeyDown={({ key }) => key === 'Escape' && onEnd()}
      >
        <h2 className="tour-title" id="tour-title">
          {step.title}
        </h2>
        <p className="tour-text" id="tour-text">
          {step.content}
        </p>
        <div className="tour-foot">
          <span className="tour-count">{t('{number} of {count}', { number: index + 1, count })}</span>
          <button type="button" className="btn btn-outline-secondary btn-sm" onClick={onEnd}>
            {t('End the tour')}
          </button>
          <button type="button" className="btn btn-primary btn-sm" onClick={onNext} ref={next}>
            {nextLabel(step, index === count - 1)}
          </button>
        </div>
      </div>
    </>,
    // A modal dialog makes everything outside inert, so the note goes inside.
    target?.closest('dialog[open]') ?? document.body,
  );
}

function nextLabel(step: TourStep, isLast: boolean): string {
  if (isLast && actionOf(step) === 'none') return t('Done');
  return actionOf(step) === 'click' ? t('Do it for me') : t('Next');
}

/** Positions highlight and note at the target. */
function placeBeside(
  target: HTMLElement | null,
  note: HTMLElement,
  ring: HTMLElement | null,
  placement: TourStep['placement'],
): void {
  const size = note.getBoundingClientRect();
  const view = { width: document.documentElement.clientWidth, height: innerHeight };
  const box = target?.getBoundingClientRect();
  if (box && ring) {
    Object.assign(ring.style, {
      left: `${box.left - 6}px`,
      top: `${box.top - 6}px`,
      width: `${box.width + 12}px`,
      height: `${box.height + 12}px`,
    });
  }
  const { left, top } = box
    ? notePlace(box, size, view, placement)
    : { left: (view.width - size.width) / 2, top: (view.height - size.height) / 2 };
  Object.assign(note.style, { left: `${Math.round(left)}px`, top: `${Math.round(top)}px` });
}
