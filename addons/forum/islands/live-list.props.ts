import { z } from 'zod';

export default z.object({
  forum: z.number(),
  /** Newest question when the page was rendered. */
  newest: z.number(),
});
