import { z } from 'zod';

/** Form for subscribing to one list, or to a selection of several; contains the submitted values and errors if it was rejected. */
export default z.object({
  lists: z.array(z.object({ id: z.number(), name: z.string(), description: z.string().nullable() })).min(1),
  chosen: z.array(z.number()),
  redirect: z.string(),
  email: z.string(),
  error: z.string(),
});
