import { reducedMotion, t } from '#core/browser';
import { button, h } from '../dom.ts';
import { actionOf, type Step } from './step.ts';

export interface PopoverEvents {
  /** The person wants the step done for them, or has read it. */
  onNext(): void;
  onEnd(): void;
}

const GAP = 14;

/** What a person sees of a tour: a light on the thing a step is about, and a note beside it. Made anew for every step. */
export class TourPopover {
  readonly #note: HTMLElement;
  readonly #ring = h('div', { class: 'tour-ring', 'aria-hidden': 'true' });
  readonly #target: HTMLElement | null;
  readonly #placement: Step['placement'];

  constructor(step: Step, place: { index: number; count: number }, target: HTMLElement | null, events: PopoverEvents) {
    this.#target = target;
    this.#placement = step.placement;
    const next = button('btn btn-primary btn-sm', nextLabel(step, place), events.onNext);
    this.#note = h(
      'div',
      { class: 'tour-note', role: 'dialog', 'aria-labelledby': 'tour-title', 'aria-describedby': 'tour-text' },
      h('h2', { class: 'tour-title', id: 'tour-title' }, step.title),
      h('p', { class: 'tour-text', id: 'tour-text' }, step.content ?? ''),
      h(
        'div',
        { class: 'tour-foot' },
        h('span', { class: 'tour-count' }, t('{number} of {count}', { number: place.index + 1, count: place.count })),
        button('btn btn-outline-secondary btn-sm', t('End the tour'), events.onEnd),
        next,
      ),
    );
    this.#note.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') events.onEnd();
    });
    // Menus close when somebody looks elsewhere; who looks at the note does not.
    for (const sign of ['pointerdown', 'mousedown', 'focusin'] as const) {
      this.#note.addEventListener(sign, (event) => event.stopPropagation());
    }
    // A dialog makes everything outside of it deaf.
    const host = target?.closest('dialog[open]') ?? document.body;
    host.append(...(target ? [this.#ring, this.#note] : [this.#note]));
    target?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: reducedMotion() ? 'auto' : 'smooth' });
    const focused = target && actionOf(step) !== 'none' && target.tabIndex >= 0 ? target : next;
    focused.focus({ preventScroll: true });
    this.place();
  }

  /** Puts light and note where the thing is now. */
  place(): void {
    const note = this.#note.getBoundingClientRect();
    const view = { width: document.documentElement.clientWidth, height: innerHeight };
    if (!this.#target) {
      this.#move((view.width - note.width) / 2, (view.height - note.height) / 2);
      return;
    }
    const box = this.#target.getBoundingClientRect();
    Object.assign(this.#ring.style, {
      left: `${box.left - 6}px`,
      top: `${box.top - 6}px`,
      width: `${box.width + 12}px`,
      height: `${box.height + 12}px`,
    });
    const { left, top } = notePlace(box, note, view, this.#placement);
    this.#move(left, top);
  }

  close(): void {
    this.#ring.remove();
    this.#note.remove();
  }

  #move(left: number, top: number): void {
    Object.assign(this.#note.style, { left: `${Math.round(left)}px`, top: `${Math.round(top)}px` });
  }
}

function nextLabel(step: Step, { index, count }: { index: number; count: number }): string {
  if (index === count - 1 && actionOf(step) === 'none') return t('Done');
  return actionOf(step) === 'click' ? t('Do it for me') : t('Next');
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Beside the thing: where it was asked for if there is room, else below, above, or at the window's edge. Always within the window. */
export function notePlace(
  box: Box,
  note: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number },
  asked: Step['placement'] = 'bottom',
): { left: number; top: number } {
  const middle = { left: box.left + (box.width - note.width) / 2, top: box.top + (box.height - note.height) / 2 };
  const places = {
    bottom: { left: middle.left, top: box.top + box.height + GAP },
    top: { left: middle.left, top: box.top - note.height - GAP },
    right: { left: box.left + box.width + GAP, top: middle.top },
    left: { left: box.left - note.width - GAP, top: middle.top },
  };
  const fits = (side: keyof typeof places): boolean => {
    const { left, top } = places[side];
    return side === 'left' || side === 'right'
      ? left >= 8 && left + note.width <= view.width - 8
      : top >= 8 && top + note.height <= view.height - 8;
  };
  const side = ([asked, 'bottom', 'top', 'right', 'left'] as const).find(fits) ?? 'bottom';
  const within = (value: number, size: number, room: number): number => Math.max(8, Math.min(value, room - size - 8));
  const place = places[side];
  return { left: within(place.left, note.width, view.width), top: within(place.top, note.height, view.height) };
}
