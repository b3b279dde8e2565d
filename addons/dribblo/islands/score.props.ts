import { z } from 'zod';

const team = z.object({ name: z.string(), image: z.string() });

/** The result of a match as it stands, or as it was sent, with what is wrong with it. */
export default z.object({
  mnbr: z.number(),
  receiver: team,
  visitor: team,
  states: z.array(z.object({ value: z.string(), label: z.string() })),
  /** `seen` is the mark of the result that was shown: whoever saves sends it. */
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
