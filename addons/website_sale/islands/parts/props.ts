import { z } from 'zod';

/** A price as returned by `priceView`, for `Money` of the kit. */
export const money = z.object({
  value: z.coerce.number(),
  digits: z.number(),
  before: z.string(),
  after: z.string(),
});

/** End of a reservation, as returned by `holdView`. */
export const hold = z.object({ text: z.string(), machine: z.string() });
