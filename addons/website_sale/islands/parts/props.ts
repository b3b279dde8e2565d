import { z } from 'zod';

/** A price as `priceView` answers it, for `Money` of the kit. */
export const money = z.object({
  value: z.coerce.number(),
  digits: z.number(),
  before: z.string(),
  after: z.string(),
});

/** Until when something is kept, as `holdView` answers it. */
export const hold = z.object({ text: z.string(), machine: z.string() });
