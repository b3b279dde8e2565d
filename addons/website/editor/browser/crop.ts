/** The proportion of cropped photos. */
export const photoAspect = 5 / 3;
/** How far inside the picture the selection begins, and how far an arrow key moves it, in pixels as shown. */
export const cropMargin = 10;
export const cropStep = 10;

/** A part of a picture as forms send it: corners and size, in pixels of the picture itself. */
export interface CropFields {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly w: number;
  readonly h: number;
}

/** A part of a picture as it is shown, in pixels of the screen. */
export interface ShownCrop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The largest part of that proportion within the margin, in the middle. */
export function firstCrop(width: number, height: number, aspect: number, margin: number = cropMargin): ShownCrop {
  const [most, tallest] = [Math.max(width - 2 * margin, 1), Math.max(height - 2 * margin, 1)];
  const w = Math.min(most, tallest * aspect);
  const h = w / aspect;
  return { x: (width - w) / 2, y: (height - h) / 2, width: w, height: h };
}

/** From the screen to the picture; null for a selection without width or height, which counts as none. */
export function cropFields(crop: ShownCrop, scale: number): CropFields | null {
  const w = Math.round(crop.width * scale);
  const h = Math.round(crop.height * scale);
  if (!(w > 0 && h > 0)) return null;
  const x1 = Math.max(0, Math.round(crop.x * scale));
  const y1 = Math.max(0, Math.round(crop.y * scale));
  return { x1, y1, x2: x1 + w, y2: y1 + h, w, h };
}

/** The selection one step further; it stays within the picture. */
export function nudged(
  crop: ShownCrop,
  key: string,
  box: { width: number; height: number },
  step: number = cropStep,
): ShownCrop | null {
  const [dx, dy] =
    { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[key] ?? [];
  if (dx === undefined || dy === undefined) return null;
  const within = (value: number, most: number): number => Math.min(Math.max(value, 0), Math.max(most, 0));
  return { ...crop, x: within(crop.x + dx, box.width - crop.width), y: within(crop.y + dy, box.height - crop.height) };
}

/** The selection a step larger or smaller in its proportion, from its upper left corner. */
export function resized(
  crop: ShownCrop,
  key: string,
  box: { width: number; height: number },
  step: number = cropStep,
): ShownCrop | null {
  const more = { ArrowRight: step, ArrowDown: step, ArrowLeft: -step, ArrowUp: -step }[key];
  if (more === undefined) return null;
  const aspect = crop.width / crop.height;
  const most = Math.min(box.width - crop.x, (box.height - crop.y) * aspect);
  const width = Math.min(Math.max(crop.width + more, step), most);
  return { ...crop, width, height: width / aspect };
}
