import { z } from 'zod';

/** Whether the reader's address wants confirming, or was confirmed just now. */
export default z.object({
  state: z.enum(['ask', 'done']),
  forum: z.number(),
  /** The forum's. */
  path: z.string(),
});
