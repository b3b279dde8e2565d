import { readFileSync } from 'node:fs';
import { Blob, Face, Font } from 'harfbuzzjs';
import { shapeWith } from './shaped-font.ts';
import { type TextRun, visualOrder } from './text-runs.ts';

/** Height of the drawing and its baseline, in units of a 1000-unit font. */
const HEIGHT = 1600;
const BASELINE = 1150;

// architecture-exempt(mutable-module): runs in the documents thread only, and fonts are the same for every application
const fonts = new Map<string, { readonly font: Font; readonly upem: number }>();

function ownFont(file: string) {
  let entry = fonts.get(file);
  if (!entry) {
    const face = new Face(new Blob(new Uint8Array(readFileSync(file)).buffer));
    entry = { font: new Font(face), upem: face.upem };
    fonts.set(file, entry);
  }
  return entry;
}

/**
 * Draws one line of text as an SVG picture of black outlines, which looks the same on every machine. `file` is the font of runs without
 * their own.
 */
export function drawRuns(runs: readonly TextRun[], file: string): string {
  const paths: string[] = [];
  let penX = 0;
  for (const index of visualOrder(runs.map(({ level }) => level))) {
    const run = runs[index];
    if (!run) continue;
    const { font, upem } = run.font ? { font: run.font.font(400), upem: run.font.face(400).upem } : ownFont(file);
    const scale = 1000 / upem;
    for (const { glyphs, advance } of shapeWith(font, run.text, run.level % 2 === 1)) {
      for (const { id, x, y } of glyphs) {
        const path = font.glyphToPath(id);
        const [offset, height] = [penX + x * scale, BASELINE - y * scale];
        if (path)
          paths.push(`<path transform="translate(${offset} ${height}) scale(${scale} ${-scale})" d="${path}"/>`);
      }
      penX += advance * scale;
    }
  }
  const width = Math.max(1, Math.ceil(penX));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${HEIGHT}" width="${width}" height="${HEIGHT}">${paths.join('')}</svg>`;
}
