import { z } from 'pergola';
import { schemes } from './colours.ts';

const choice = z.string().max(100);

/** How a site looks, as its record keeps it. What is not said is as Pergola ships it. */
export const lookShape = z.object({
  /** The id of a palette, or `own`. */
  palette: choice.default('website.pergola'),
  /** The site's own colours, kept while another palette is tried. */
  own: schemes.nullable().default(null),
  fonts: choice.default('website.warm'),
  header: choice.default('website.row'),
  footer: choice.default('website.columns'),
  buttons: z.enum(['filled', 'soft', 'outline']).default('filled'),
  corners: z.enum(['square', 'soft', 'round']).default('soft'),
  density: z.enum(['compact', 'normal', 'airy']).default('normal'),
});
export type Look = z.infer<typeof lookShape>;

/** The look of a site whose record says nothing, or something that was written before there was this shape. */
export function lookOf(kept: unknown): Look {
  const read = lookShape.safeParse(kept ?? {});
  return read.success ? read.data : lookShape.parse({});
}
