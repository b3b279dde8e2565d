import { z } from 'zod';

const money = z.object({ value: z.number(), digits: z.number(), before: z.string(), after: z.string() });

/** Tickets on sale for an event, and the status of the others. */
export default z.object({
  event: z.number(),
  name: z.string(),
  /** How long a cart reserves tickets, or null if none are on sale. */
  kept: z.string().nullable(),
  tickets: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      description: z.string().nullable(),
      state: z.enum(['soon', 'open', 'sold_out', 'over']),
      price: z.object({ free: z.boolean(), amount: money, before: money.nullable() }).nullable(),
      /** Number of seats left if there are only a few, else null. */
      few: z.string().nullable(),
      /** Selectable quantities, from 0. */
      numbers: z.array(z.number()),
      /** Maximum number of seats a visitor can request on the waiting list. */
      mostWaited: z.number(),
      opens: z.string().nullable(),
      closes: z.string().nullable(),
    }),
  ),
});
