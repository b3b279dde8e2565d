/** WCAG 2.2 AA contrast for normal and large text. */
const TEXT = 4.5;
const LARGE_TEXT = 3;

/** Background colours of an element, starting with the page's; null if an image is behind it. */
interface Ground {
  readonly colours: readonly (readonly [colour: string, opacity: number])[] | null;
  readonly opacity: number;
}

/**
 * Returns texts whose colour has too little contrast with their ancestors' backgrounds. Only an estimate: overlapping elements are ignored.
 */
export function hardToRead(root: HTMLElement): HTMLElement[] {
  const pen = onePixel();
  if (!pen) return [];
  const grounds = new Map<Element, Ground>();
  const groundOf = (element: Element): Ground => {
    const cached = grounds.get(element);
    if (cached) return cached;
    const { backgroundColor, backgroundImage, opacity: elementOpacity } = getComputedStyle(element);
    const parentGround: Ground = element.parentElement ? groundOf(element.parentElement) : { colours: [], opacity: 1 };
    const opacity = parentGround.opacity * Number(elementOpacity);
    const alpha = alphaOf(backgroundColor);
    const parentColours = alpha * opacity === 1 ? [] : parentGround.colours;
    const colours =
      backgroundImage !== 'none' || hasPictureBehind(element) || !parentColours
        ? null
        : alpha === 0
          ? parentColours
          : [...parentColours, [backgroundColor, opacity] as const];
    const ground = { colours, opacity };
    grounds.set(element, ground);
    return ground;
  };
  const looks = Map.groupBy(textsOf(root), (element) => {
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const size = Number.parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    return JSON.stringify([groundOf(element), color, isLarge ? LARGE_TEXT : TEXT]);
  });
  return [...looks].flatMap(([look, texts]) => {
    const [{ colours, opacity }, colour, minRatio] = JSON.parse(look) as [Ground, string, number];
    if (!colours) return [];
    const ground = lightOf(pen, ['#fff', 1], ...colours);
    const text = lightOf(pen, [colour, opacity]);
    const ratio = (Math.max(ground, text) + 0.05) / (Math.min(ground, text) + 0.05);
    return ratio < minRatio ? texts : [];
  });
}

/** Returns whether an image or video fills an element behind its content. */
function hasPictureBehind(element: Element): boolean {
  return [...element.children].some(
    (child) => child.matches('img, video, :has(> img, > video)') && getComputedStyle(child).position === 'absolute',
  );
}

/** Visible elements with text of their own, not only in descendants. */
function textsOf(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('*')].filter(
    (element) =>
      (element.matches('input, select, textarea') ||
        [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())) &&
      element.getClientRects().length > 0,
  );
}

function onePixel(): CanvasRenderingContext2D | null {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  return canvas.getContext('2d', { willReadFrequently: true });
}

/** Opacity of a computed colour: `rgba(0, 0, 0, 0.5)`, `color(srgb 0 0 0 / 0.5)`. */
function alphaOf(colour: string): number {
  const alpha = /\/ ([\d.]+)\)$/.exec(colour) ?? /^rgba\(.*, ([\d.]+)\)$/.exec(colour);
  return alpha ? Number(alpha[1]) : 1;
}

/** Relative luminance (WCAG) of a pixel after painting these colours over it. */
function lightOf(pen: CanvasRenderingContext2D, ...colours: NonNullable<Ground['colours']>): number {
  for (const [colour, opacity] of colours) {
    pen.globalAlpha = opacity;
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((part) =>
    part > 10 ? ((part / 255 + 0.055) / 1.055) ** 2.4 : part / 3294.6,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
