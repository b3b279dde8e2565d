import { z } from 'pergola';
import { schemes } from './colours.ts';

const choice = z.string().max(100);

/** Stored look of a site. Missing values use the defaults. */
export const lookShape = z.object({
  /** Id of a palette, or `own`. */
  palette: choice.default('website.pergola'),
  /** Custom colours, kept while other palettes are tried. */
  own: schemes.nullable().default(null),
  fonts: choice.default('website.warm'),
  header: choice.default('website.row'),
  footer: choice.default('website.columns'),
  buttons: z.enum(['filled', 'soft', 'outline']).default('filled'),
  corners: z.enum(['square', 'soft', 'round']).default('soft'),
  density: z.enum(['compact', 'normal', 'airy']).default('normal'),
});
export type Look = z.infer<typeof lookShape>;

/** Parses a stored look; returns the default if it is empty or has an outdated format. */
export function lookOf(stored: unknown): Look {
  const read = lookShape.safeParse(stored ?? {});
  return read.success ? read.data : lookShape.parse({});
}
