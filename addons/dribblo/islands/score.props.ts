import { z } from 'zod';

const team = z.object({ name: z.string(), image: z.string() });

/** Current or submitted result of a match, with validation errors. */
export default z.object({
  mnbr: z.number(),
  receiver: team,
  visitor: team,
  states: z.array(z.object({ value: z.string(), label: z.string() })),
  /** `seen` identifies the result that was displayed, for detecting conflicts. */
  values: z.object({
    seen: z.string(),
    state: z.string(),
    receiver_res: z.string(),
    visitor_res: z.string(),
    receiver_shot: z.string(),
    visitor_shot: z.string(),
    forfeit_by: z.string(),
  }),
  errors: z.record(z.string(), z.string()).optional(),
});
