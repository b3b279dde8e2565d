import { z } from 'zod';

/** A price as `priceView` answers it, for `Money` of the kit. */
export const money = z.object({
  value: z.coerce.number(),
  digits: z.number(),
  before: z.string(),
  after: z.string(),
});

/** Addresses of a variant's own picture. */
export const variantPicture = z.object({ src: z.string(), srcset: z.string(), large: z.string() });

/** Until when something is kept, as `holdView` answers it. */
export const hold = z.object({ text: z.string(), machine: z.string() });
