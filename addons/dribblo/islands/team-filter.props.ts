import { z } from 'zod';

/** The week, and the teams to choose from. Its matches are the island's content. */
export default z.object({
  days: z.string(),
  teams: z.array(z.object({ id: z.number(), name: z.string() })),
});
