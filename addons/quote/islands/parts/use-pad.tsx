import { type RefObject, useEffect, useRef } from 'react';
import type SignaturePad from 'signature_pad';
import { isStroke, STROKE_MOVE } from './stroke.ts';

/** Signature pad. Loaded with the dialog, because most readers don't sign. */
export function usePad(
  canvas: RefObject<HTMLCanvasElement | null>,
  onStroke: () => void,
): RefObject<SignaturePad | null> {
  const pad = useRef<SignaturePad>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one pad as long as the dialog is open
  useEffect(() => {
    let isOver = false;
    void import('signature_pad').then(({ default: Pad }) => {
      if (isOver || !canvas.current) return;
      sharpen(canvas.current);
      const signaturePad = new Pad(canvas.current, {
        penColor: '#10233f',
        backgroundColor: '#ffffff',
        minWidth: 0.8,
        maxWidth: 2.6,
        minDistance: STROKE_MOVE,
      });
      const on: EventTarget['addEventListener'] = signaturePad.addEventListener.bind(signaturePad);
      on('beginStroke', onStroke);
      on('endStroke', () => keepStrokes(signaturePad));
      pad.current = signaturePad;
    });
    return () => {
      isOver = true;
      pad.current?.off();
    };
  }, []);
  return pad;
}

/** Matches the canvas to the screen resolution, so that lines look sharp. */
function sharpen(canvas: HTMLCanvasElement): void {
  const scale = Math.min(2, Math.max(1, devicePixelRatio));
  const { width, height } = canvas.getBoundingClientRect();
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.scale(scale, scale);
}

/** Removes touches that hardly moved as soon as they end: they aren't strokes. */
function keepStrokes(pad: SignaturePad): void {
  const strokes = pad.toData();
  const validStrokes = strokes.filter(({ points }) => isStroke(points));
  if (validStrokes.length < strokes.length) pad.fromData(validStrokes);
}
