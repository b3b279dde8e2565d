import 'react-image-crop/dist/ReactCrop.css';
import { ready, t } from '#core/browser';
import '../editor/browser/css/image-crop.css';
import { fieldError } from '../snippets/browser/field-error.ts';

/**
 * `<input type="file" data-crop="5/3">` lets the chosen picture be cropped; the part goes with the form as `x1, y1, x2, y2, w, h`. Loaded when a
 * picture is chosen. A file that is no picture is refused at once, before anything is sent.
 */
export default function imageCrop(element: HTMLElement): (() => void) | undefined {
  if (!(element instanceof HTMLInputElement)) return undefined;
  const listening = new AbortController();
  let end: (() => void) | null = null;
  let isOver = false;
  const begin = async (): Promise<void> => {
    const { cropInput } = await import('../editor/browser/crop-input.tsx');
    if (!isOver) end = cropInput(element, aspectOf(element.dataset.crop));
  };
  element.addEventListener('change', () => void check(element), { signal: listening.signal });
  if (element.files?.length) void begin();
  else element.addEventListener('change', () => void begin(), { once: true });
  return () => {
    isOver = true;
    listening.abort();
    end?.();
  };
}

/** The words are those of the server. */
async function check(input: HTMLInputElement): Promise<void> {
  await ready;
  const isPicture = Array.from(input.files ?? []).every(({ type }) => type.startsWith('image/'));
  fieldError(input, isPicture ? '' : t('Only image files can be uploaded'));
}

/** `5/3`, `1.5`; undefined for the usual proportion. */
function aspectOf(text: string | undefined): number | undefined {
  const [width, height = '1'] = (text ?? '').split(/[/:]/);
  const aspect = Number(width) / Number(height);
  return Number.isFinite(aspect) && aspect > 0 ? aspect : undefined;
}
