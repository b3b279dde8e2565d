/** Aspect ratio of cropped photos. */
export const photoAspect = 5 / 3;
/** Initial inset of the selection, and step of the arrow keys, in displayed pixels. */
export const cropMargin = 10;
export const cropStep = 10;

/** Crop area as submitted by forms: corners and size in pixels of the original image. */
export interface CropFields {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly w: number;
  readonly h: number;
}

/** Crop area as displayed, in CSS pixels. */
export interface ShownCrop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Largest centred selection with this aspect ratio within the margin. */
export function firstCrop(width: number, height: number, aspect: number, margin: number = cropMargin): ShownCrop {
  const [maxWidth, tallest] = [Math.max(width - 2 * margin, 1), Math.max(height - 2 * margin, 1)];
  const w = Math.min(maxWidth, tallest * aspect);
  const h = w / aspect;
  return { x: (width - w) / 2, y: (height - h) / 2, width: w, height: h };
}

/** Converts a selection from displayed to original pixels; returns null if it has no width or height. */
export function cropFields(crop: ShownCrop, scale: number): CropFields | null {
  const w = Math.round(crop.width * scale);
  const h = Math.round(crop.height * scale);
  if (!(w > 0 && h > 0)) return null;
  const x1 = Math.max(0, Math.round(crop.x * scale));
  const y1 = Math.max(0, Math.round(crop.y * scale));
  return { x1, y1, x2: x1 + w, y2: y1 + h, w, h };
}

/** Moves the selection by one step, within the image. */
export function nudged(
  crop: ShownCrop,
  key: string,
  box: { width: number; height: number },
  step: number = cropStep,
): ShownCrop | null {
  const [dx, dy] =
    { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[key] ?? [];
  if (dx === undefined || dy === undefined) return null;
  const clamp = (value: number, max: number): number => Math.min(Math.max(value, 0), Math.max(max, 0));
  return { ...crop, x: clamp(crop.x + dx, box.width - crop.width), y: clamp(crop.y + dy, box.height - crop.height) };
}

/** Grows or shrinks the selection by one step, keeping its aspect ratio and upper left corner. */
export function resized(
  crop: ShownCrop,
  key: string,
  box: { width: number; height: number },
  step: number = cropStep,
): ShownCrop | null {
  const more = { ArrowRight: step, ArrowDown: step, ArrowLeft: -step, ArrowUp: -step }[key];
  if (more === undefined) return null;
  const aspect = crop.width / crop.height;
  const maxWidth = Math.min(box.width - crop.x, (box.height - crop.y) * aspect);
  const width = Math.min(Math.max(crop.width + more, step), maxWidth);
  return { ...crop, width, height: width / aspect };
}
