import 'react-image-crop/dist/ReactCrop.css';
import '../editor/browser/css/image-crop.css';

/**
 * `<input type="file" data-crop="5/3">` lets the chosen picture be cropped; the part goes with the form as `x1, y1, x2, y2, w, h`. Loaded when a
 * picture is chosen.
 */
export default function imageCrop(element: HTMLElement): (() => void) | undefined {
  if (!(element instanceof HTMLInputElement)) return undefined;
  let end: (() => void) | null = null;
  let isOver = false;
  const begin = async (): Promise<void> => {
    const { cropInput } = await import('../editor/browser/crop-input.tsx');
    if (!isOver) end = cropInput(element, aspectOf(element.dataset.crop));
  };
  if (element.files?.length) void begin();
  else element.addEventListener('change', () => void begin(), { once: true });
  return () => {
    isOver = true;
    end?.();
  };
}

/** `5/3`, `1.5`; undefined for the usual proportion. */
function aspectOf(text: string | undefined): number | undefined {
  const [width, height = '1'] = (text ?? '').split(/[/:]/);
  const aspect = Number(width) / Number(height);
  return Number.isFinite(aspect) && aspect > 0 ? aspect : undefined;
}
