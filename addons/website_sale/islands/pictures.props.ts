import { z } from 'zod';

const picture = z.object({
  src: z.string(),
  srcset: z.string(),
  thumb: z.string(),
  large: z.string(),
  alt: z.string(),
});
/** Indexes in the list of all pictures. */
const places = z.array(z.number().int());

export default z.object({
  name: z.string(),
  pictures: z.array(picture).min(1),
  /** Initially shown pictures. */
  shown: places.min(1),
  /** Pictures of each variant, by variant id. */
  variants: z.record(z.string(), places),
});
