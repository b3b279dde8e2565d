import type { TourStep } from '../../../snippets/tours/point.ts';

const GAP = 14;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Position of the note: at the requested side of the target if it fits, otherwise below, above or at the window's edge. Always within the
 * window.
 */
export function notePlace(
  box: Box,
  note: { readonly width: number; readonly height: number },
  view: { readonly width: number; readonly height: number },
  preferred: TourStep['placement'] = 'bottom',
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
  const side = ([preferred, 'bottom', 'top', 'right', 'left'] as const).find(fits) ?? 'bottom';
  const clamp = (value: number, size: number, room: number): number => Math.max(8, Math.min(value, room - size - 8));
  const place = places[side];
  return { left: clamp(place.left, note.width, view.width), top: clamp(place.top, note.height, view.height) };
}
