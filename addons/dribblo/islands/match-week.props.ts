import { z } from 'zod';

const choices = z.array(z.object({ value: z.number(), name: z.string() }));
const id = z.number().nullable();

/** A week with the active filters. The list of matches is the island's children. */
export default z.object({
  first: z.object({
    week: z.number(),
    previous: z.number().nullable(),
    next: z.number().nullable(),
    label: z.string(),
    days: z.string(),
    team: id,
    categ: id,
    player: id,
    name: z.string(),
  }),
  categories: choices,
  teams: choices,
});
