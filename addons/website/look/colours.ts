import chroma from 'chroma-js';
import { z } from 'pergola';

/** WCAG 2.2 AA for text and for field borders. */
const TEXT = 4.5;
const EDGE = 3;

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'Write colours like #1f6b4a.')
  .toLowerCase();

/** Five base colours of a scheme, from which all others are derived. */
export const swatch = z.object({
  /** Page background. */
  background: colour,
  /** Background of soft sections, hovered menu entries and tables. */
  surface: colour,
  text: colour,
  /** Links and buttons. */
  primary: colour,
  /** Background of prominent sections. */
  strong: colour,
});

/** Both schemes; the visitor's system selects one. */
export const schemes = z.object({ light: swatch, dark: swatch });
export type Swatch = z.infer<typeof swatch>;
export type Schemes = z.infer<typeof schemes>;
export type Scheme = keyof Schemes;

/** Error text colours, which appear on any page. */
const errors: Readonly<Record<Scheme, string>> = { light: '#b3261e', dark: '#ff9d94' };

/** Pair of colours with insufficient contrast. */
export interface Unreadable {
  readonly scheme: Scheme;
  readonly colour: keyof Swatch;
  readonly on: keyof Swatch | 'errors';
  /** Actual contrast, such as 4.31 if 4.5 is required. */
  readonly ratio: number;
}

/**
 * Returns colour pairs with insufficient contrast (WCAG 2.2 AA). Button labels and text on `strong` are black or white, whichever has the
 * higher contrast.
 */
export function unreadable(palette: Schemes): Unreadable[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const colours = palette[scheme];
    const pairs = [
      ['text', 'background', colours.background],
      ['text', 'surface', colours.surface],
      ['primary', 'background', colours.background],
      ['primary', 'surface', colours.surface],
      ['background', 'errors', errors[scheme]],
      ['surface', 'errors', errors[scheme]],
    ] as const;
    return pairs.flatMap(([name, on, ground]) => {
      const ratio = chroma.contrast(colours[name], ground);
      return ratio < TEXT ? [{ scheme, colour: name, on, ratio: Math.floor(ratio * 100) / 100 }] : [];
    });
  });
}

/** Custom properties of a scheme: Bootstrap's and Pergola's. */
export function propertiesOf({ background, surface, text, primary, strong }: Swatch): Record<string, string> {
  const onPrimary = labelOn(primary);
  const hover = mix(primary, onPrimary === '#ffffff' ? '#000000' : '#ffffff', 0.18);
  const subtle = mix(background, primary, 0.14);
  const muted = faintest(text, background, [background, surface], TEXT);
  return {
    ...channels('--bs-body-bg', background),
    ...channels('--bs-body-color', text),
    ...channels('--bs-secondary-bg', surface),
    ...channels('--bs-tertiary-bg', mix(background, surface, 0.5)),
    ...channels('--bs-secondary-color', muted),
    ...channels('--bs-primary', primary),
    ...channels('--bs-link-color', primary),
    ...channels('--bs-link-hover-color', hover),
    '--bs-border-color': mix(background, text, 0.18),
    '--bs-primary-bg-subtle': subtle,
    '--bs-primary-border-subtle': mix(background, primary, 0.4),
    '--bs-primary-text-emphasis': faintest(text, primary, [subtle], TEXT),
    '--pg-primary-hover': hover,
    '--pg-on-primary': onPrimary,
    '--pg-strong': strong,
    ...channels('--pg-on-strong', labelOn(strong)),
    '--pg-card-bg':
      chroma(background).luminance() > 0.5 ? mix(background, '#ffffff', 0.7) : mix(background, surface, 0.5),
    '--pg-field-border': faintest(text, background, [background], EDGE),
  };
}

/** Colour and its RGB channels, which Bootstrap uses for transparency. */
function channels(name: string, value: string): Record<string, string> {
  return { [name]: value, [`${name}-rgb`]: chroma(value).rgb().join(', ') };
}

/** Returns whether white text is readable on a background. */
export function isDark(ground: string): boolean {
  return chroma.contrast('#ffffff', ground) >= TEXT;
}

/** Black or white, whichever is readable. */
function labelOn(ground: string): '#ffffff' | '#101412' {
  return isDark(ground) ? '#ffffff' : '#101412';
}

/** Mixes `from` with as much of `towards` as the contrast on all backgrounds allows. */
function faintest(from: string, towards: string, grounds: readonly string[], minContrast: number): string {
  for (let share = 0.9; share > 0; share -= 0.05) {
    const mixed = mix(from, towards, share);
    if (grounds.every((ground) => chroma.contrast(mixed, ground) >= minContrast)) return mixed;
  }
  return from;
}

function mix(first: string, second: string, share: number): string {
  return chroma.mix(first, second, share, 'rgb').hex();
}
