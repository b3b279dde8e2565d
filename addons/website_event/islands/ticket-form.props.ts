import { z } from 'zod';

const money = z.object({ value: z.number(), digits: z.number(), before: z.string(), after: z.string() });

/** The tickets of an event that are sold, and what is told of the others. */
export default z.object({
  event: z.number(),
  name: z.string(),
  /** How long tickets are kept in a cart; null where none can be bought. */
  kept: z.string().nullable(),
  tickets: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      description: z.string().nullable(),
      state: z.enum(['soon', 'open', 'sold_out', 'over']),
      price: z.object({ free: z.boolean(), amount: money, before: money.nullable() }).nullable(),
      /** How many are left, where these are few. */
      few: z.string().nullable(),
      /** How many may be chosen, from 0. */
      numbers: z.array(z.number()),
      /** How many seats a person can wait for. */
      mostWaited: z.number(),
      opens: z.string().nullable(),
      closes: z.string().nullable(),
    }),
  ),
});
