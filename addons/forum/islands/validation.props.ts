import { z } from 'zod';

/** Whether the reader's email address needs confirmation, or was just confirmed. */
export default z.object({
  state: z.enum(['ask', 'done']),
  forum: z.number(),
  /** Path of the forum. */
  path: z.string(),
});
