import { z } from 'zod';

export default z.object({
  forum: z.number(),
  question: z.number(),
  /** What the page shows: the votes by post, the answers, and the accepted one. */
  shown: z.object({
    votes: z.record(z.string(), z.number()),
    answers: z.array(z.number()),
    accepted: z.number().nullable(),
  }),
  /** Whether these are all answers there are. */
  isWhole: z.boolean(),
});
