import chroma from 'chroma-js';
import { z } from 'pergola';

/** WCAG 2.2 AA for text, and for what surrounds a field. */
const TEXT = 4.5;
const EDGE = 3;

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'A colour is written like #1f6b4a.')
  .toLowerCase();

/** The five colours of a scheme, from which all others are worked out. */
export const swatch = z.object({
  /** The ground of pages. */
  background: colour,
  /** The ground of what is set apart: soft sections, menus under the pointer, tables. */
  surface: colour,
  text: colour,
  /** Links and buttons. */
  primary: colour,
  /** The ground of sections that stand out. */
  strong: colour,
});

/** Both schemes: which one a visitor sees is up to their system. */
export const schemes = z.object({ light: swatch, dark: swatch });
export type Swatch = z.infer<typeof swatch>;
export type Schemes = z.infer<typeof schemes>;
export type Scheme = keyof Schemes;

/** What the platform says errors in: they stand on any page. */
const errors: Readonly<Record<Scheme, string>> = { light: '#b3261e', dark: '#ff9d94' };

/** Two colours that are too near to each other to be read. */
export interface Unreadable {
  readonly scheme: Scheme;
  readonly colour: keyof Swatch;
  readonly on: keyof Swatch | 'errors';
  /** 4.31, of 4.5 that are needed. */
  readonly ratio: number;
}

/** Which of the colours nobody could read (WCAG 2.2, AA). Labels of buttons and texts on `strong` are black or white, whichever is read better. */
export function unreadable(both: Schemes): Unreadable[] {
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const of = both[scheme];
    const pairs = [
      ['text', 'background', of.background],
      ['text', 'surface', of.surface],
      ['primary', 'background', of.background],
      ['primary', 'surface', of.surface],
      ['background', 'errors', errors[scheme]],
      ['surface', 'errors', errors[scheme]],
    ] as const;
    return pairs.flatMap(([name, on, ground]) => {
      const ratio = chroma.contrast(of[name], ground);
      return ratio < TEXT ? [{ scheme, colour: name, on, ratio: Math.floor(ratio * 100) / 100 }] : [];
    });
  });
}

/** The custom properties of a scheme: those that Bootstrap has, and the project's own. */
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

/** A colour, and its channels, which is what Bootstrap makes it transparent by. */
function channels(name: string, value: string): Record<string, string> {
  return { [name]: value, [`${name}-rgb`]: chroma(value).rgb().join(', ') };
}

/** Whether white is read on it. */
export function isDark(ground: string): boolean {
  return chroma.contrast('#ffffff', ground) >= TEXT;
}

/** Black or white: one of them is always read well. */
function labelOn(ground: string): '#ffffff' | '#101412' {
  return isDark(ground) ? '#ffffff' : '#101412';
}

/** The colour nearest to `towards` that is still read on all of these grounds. */
function faintest(from: string, towards: string, grounds: readonly string[], least: number): string {
  for (let share = 0.9; share > 0; share -= 0.05) {
    const mixed = mix(from, towards, share);
    if (grounds.every((ground) => chroma.contrast(mixed, ground) >= least)) return mixed;
  }
  return from;
}

function mix(one: string, other: string, share: number): string {
  return chroma.mix(one, other, share, 'rgb').hex();
}
