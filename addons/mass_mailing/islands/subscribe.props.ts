import { z } from 'zod';

/** The form to subscribe to a list, or to those that are chosen of several; with what was sent and what is wrong with it where it comes back. */
export default z.object({
  lists: z.array(z.object({ id: z.number(), name: z.string(), description: z.string().nullable() })).min(1),
  chosen: z.array(z.number()),
  redirect: z.string(),
  email: z.string(),
  error: z.string(),
});
