/** Colours of one picture: the wall behind, the arch, the thing itself in three tones, and something that sets it off. */
export interface Palette {
  readonly wall: string;
  readonly arch: string;
  readonly main: string;
  readonly dark: string;
  readonly light: string;
  readonly accent: string;
}

/** Side of a picture in pixels: more than pages show, so that looking closer shows more. */
export const SIDE = 960;

/** Colours that go with each other, after what they look like. */
export const palettes = {
  leaf: { wall: '#f3eddf', arch: '#d8e3cd', main: '#3f7d55', dark: '#28593b', light: '#6ba97f', accent: '#c98a3c' },
  clay: { wall: '#f5ece0', arch: '#ecd3bd', main: '#c06f45', dark: '#934d2c', light: '#dc9a72', accent: '#3f7d55' },
  sky: { wall: '#f1eee4', arch: '#cfdfe3', main: '#4a7f96', dark: '#2d5a6e', light: '#80adbf', accent: '#d9a441' },
  honey: { wall: '#f6eedb', arch: '#f2dca6', main: '#d99a2b', dark: '#a56c12', light: '#f1c663', accent: '#7a4e22' },
  berry: { wall: '#f5ebe4', arch: '#efd0cc', main: '#b3405a', dark: '#822a40', light: '#d87a8c', accent: '#3f7d55' },
  lilac: { wall: '#f2ece6', arch: '#ddd3e6', main: '#7f6aa5', dark: '#594678', light: '#a997c9', accent: '#6b8f4e' },
  cream: { wall: '#eee6d6', arch: '#dccfb6', main: '#f3ead6', dark: '#cdbd9c', light: '#fffaf0', accent: '#8a5a2b' },
  wood: { wall: '#f4ecdf', arch: '#e6d3b8', main: '#b98350', dark: '#8a5a2b', light: '#d9ae7e', accent: '#3f7d55' },
  steel: { wall: '#f0ede5', arch: '#d5dad6', main: '#8b9a9c', dark: '#5d6b6e', light: '#bcc8c9', accent: '#a0522d' },
  ink: { wall: '#f1ebdf', arch: '#d6d8d0', main: '#34454c', dark: '#1f2c31', light: '#5b7079', accent: '#d9a441' },
} as const satisfies Record<string, Palette>;

/**
 * A whole picture of the catalogue as SVG: `thing` is drawn on a canvas of 640 × 640 that stands on the ground at y = 520.
 */
export function framed({ wall, arch }: Palette, thing: string, shadow = 190): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 640 640">
<defs>
<linearGradient id="w" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${wall}"/><stop offset="1" stop-color="${wall}" stop-opacity=".82"/></linearGradient>
<linearGradient id="a" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${arch}"/><stop offset="1" stop-color="${arch}" stop-opacity=".7"/></linearGradient>
<radialGradient id="s"><stop offset="0" stop-color="#3a2c1a" stop-opacity=".34"/><stop offset="1" stop-color="#3a2c1a" stop-opacity="0"/></radialGradient>
<linearGradient id="g" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="#fff" stop-opacity=".34"/><stop offset=".35" stop-color="#fff" stop-opacity=".06"/><stop offset="1" stop-color="#2a1a08" stop-opacity=".2"/></linearGradient>
</defs>
<rect width="640" height="640" fill="#fffdf8"/><rect width="640" height="640" fill="url(#w)"/>
<path d="M110 520V290a210 210 0 0 1 420 0v230z" fill="url(#a)"/>
<rect y="520" width="640" height="120" fill="${arch}" opacity=".38"/>
<ellipse cx="320" cy="524" rx="${shadow}" ry="24" fill="url(#s)"/>
${thing}
</svg>`;
}

/** A part of a picture, seen closely: `side` of its 640 points, around a place. */
export function closer(picture: string, x: number, y: number, side = 300): string {
  return picture.replace('viewBox="0 0 640 640"', `viewBox="${x - side / 2} ${y - side / 2} ${side} ${side}"`);
}

/** Several things side by side on the ground, so near to each other that a tall tile of the shop, which shows the middle, has all of them. */
export function together(palette: Palette, things: readonly string[]): string {
  const scale = things.length > 2 ? 0.44 : 0.56;
  const placed = things.map((thing, place) => {
    const middle = (640 * (place + 0.5)) / things.length;
    const x = 320 + (middle - 320) * 0.72 - 320 * scale;
    return `<g transform="translate(${x} ${520 - 520 * scale}) scale(${scale})">${thing}</g>`;
  });
  return framed(palette, placed.join(''), 270);
}

/** A shape in a colour, with light from the left over it. */
export function lit(path: string, fill: string): string {
  return `<path d="${path}" fill="${fill}"/><path d="${path}" fill="url(#g)"/>`;
}

/** Leaves along a stem that grows from (x, y) by (dx, dy). */
export function sprig(x: number, y: number, dx: number, dy: number, color: string, leaves = 5): string {
  const length = Math.hypot(dx, dy);
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  const step = length / (leaves + 0.5);
  const drawn = Array.from({ length: leaves }, (_, index) => {
    const at = step * (index + 1);
    const size = 26 - index * 2.2;
    const side = index % 2 === 0 ? -1 : 1;
    return `<ellipse cx="${at + size * 0.5}" cy="${side * size * 0.55}" rx="${size}" ry="${size * 0.4}" transform="rotate(${side * 32} ${at} 0)"/>`;
  });
  return `<g transform="translate(${x} ${y}) rotate(${angle})" fill="${color}"><rect y="-2" width="${length}" height="4" rx="2"/>${drawn.join('')}</g>`;
}

/** A round flower head. */
export function blossom(x: number, y: number, r: number, petal: string, heart: string, petals = 8): string {
  const drawn = Array.from(
    { length: petals },
    (_, index) =>
      `<ellipse cx="0" cy="${-r * 0.62}" rx="${r * 0.3}" ry="${r * 0.42}" transform="rotate(${(360 / petals) * index})"/>`,
  );
  return `<g transform="translate(${x} ${y})"><g fill="${petal}">${drawn.join('')}</g><circle r="${r * 0.34}" fill="${heart}"/></g>`;
}
