import { z } from 'zod';

export default z.object({
  forum: z.number(),
  /** The newest question there was when the page was made. */
  newest: z.number(),
});
