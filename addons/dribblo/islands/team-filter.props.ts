import { z } from 'zod';

/** A week with its teams. The list of matches is the island's children. */
export default z.object({
  days: z.string(),
  teams: z.array(z.object({ id: z.number(), name: z.string() })),
});
